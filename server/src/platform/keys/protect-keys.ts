import { lockForTransaction } from '../../database/advisory-locks.ts'
import type { Database } from '../../database/connect.ts'
import { ConfigurationError } from '../configuration-error.ts'
import type { KeyFile } from './key-file.ts'

export type StoredServerKey = { purpose: string; generation: number; key: Buffer; key_file_id: string | null }
export type StoredSigningKey = { id: string; private_key: unknown; key_file_id: string | null }

type ServerKeyName = Pick<StoredServerKey, 'purpose' | 'generation'>

const serverKeyContext = ({ purpose, generation }: ServerKeyName) => `server key ${purpose} ${generation}`
const signingKeyContext = (id: string) => `signing key ${id}`

/**
 * Locks the keys for a change until the transaction ends. Wraps them if they were stored without a key file so far.
 * Throws a ConfigurationError if they are wrapped with a key file that this process does not have.
 */
export async function lockAndProtectKeys(tx: Database, keyFile: KeyFile | undefined): Promise<void> {
  await lockForTransaction(tx, 'signingKeyRotation')
  const serverKeys = await listServerKeys(tx)
  if (!keyFile || serverKeys.some(({ key_file_id }) => key_file_id !== null)) {
    for (const key of serverKeys) requireReadable(key, keyFile)
    return
  }
  // Only keys that existed before the key file are wrapped. A key that somebody adds later without it is refused.
  for (const stored of serverKeys) {
    await tx
      .updateTable('server_keys')
      .set(wrapServerKey(stored, stored.key, keyFile))
      .where('purpose', '=', stored.purpose)
      .where('generation', '=', stored.generation)
      .execute()
  }
  for (const { id, private_key } of await listSigningKeys(tx)) {
    await tx
      .updateTable('signing_keys')
      .set(wrapSigningKey(id, private_key, keyFile))
      .where('id', '=', id)
      .execute()
  }
}

export async function listServerKeys(db: Database): Promise<StoredServerKey[]> {
  return db
    .selectFrom('server_keys')
    .select(['purpose', 'generation', 'key', 'key_file_id'])
    .orderBy('purpose')
    .orderBy('generation')
    .execute()
}

/** The newest comes first. */
export async function listSigningKeys(db: Database): Promise<StoredSigningKey[]> {
  return db
    .selectFrom('signing_keys')
    .select(['id', 'private_key', 'key_file_id'])
    .orderBy('created_at', 'desc')
    .execute()
}

export function wrapServerKey(name: ServerKeyName, key: Buffer, keyFile: KeyFile | undefined) {
  return { key: keyFile ? keyFile.wrap(key, serverKeyContext(name)) : key, key_file_id: keyFile?.id ?? null }
}

export function unwrapServerKey(stored: StoredServerKey, keyFile: KeyFile | undefined): Buffer {
  requireReadable(stored, keyFile)
  return keyFile ? keyFile.unwrap(stored.key, serverKeyContext(stored)) : stored.key
}

export function wrapSigningKey(id: string, jwk: unknown, keyFile: KeyFile | undefined) {
  const content = Buffer.from(JSON.stringify(jwk))
  const stored = keyFile ? { wrapped: keyFile.wrap(content, signingKeyContext(id)).toString('base64') } : jwk
  return { private_key: JSON.stringify(stored), key_file_id: keyFile?.id ?? null }
}

export function unwrapSigningKey({ id, private_key }: StoredSigningKey, keyFile: KeyFile | undefined): unknown {
  if (!keyFile) return private_key
  const { wrapped } = private_key as { wrapped: string }
  return JSON.parse(keyFile.unwrap(Buffer.from(wrapped, 'base64'), signingKeyContext(id)).toString('utf8'))
}

function requireReadable({ purpose, key_file_id }: StoredServerKey, keyFile: KeyFile | undefined): void {
  if (key_file_id === (keyFile?.id ?? null)) return
  if (!keyFile)
    throw new ConfigurationError(
      `The keys of this installation are protected by the key file ${key_file_id}. Set MUSTER_KEY_FILE.`,
    )
  throw new ConfigurationError(
    key_file_id === null
      ? `The key '${purpose}' was stored without the key file ${keyFile.id}, which protects the others. ` +
          'Somebody changed the database. Restore a backup.'
      : `The keys of this installation are protected by the key file ${key_file_id}, but MUSTER_KEY_FILE is ` +
          `${keyFile.id}.`,
  )
}
