import { createHmac, createSecretKey, randomBytes } from 'node:crypto'
import type { Database } from '../../database/connect.ts'
import type { KeyFile } from '../keys/key-file.ts'
import { listServerKeys, lockAndProtectKeys, unwrapServerKey, wrapServerKey } from '../keys/protect-keys.ts'
import { generationOf, sealWithGeneration, unsealWithGeneration, type ValueKeys } from '../keys/sealed-values.ts'

export type ServerKeys = {
  /** Keyed hash of a client secret. One round is enough, because secrets are random. */
  hashSecret(secret: string): Buffer
  /** Derives a key for one purpose. Deriving it requires both the server's key and the text. */
  deriveKey(text: string): Buffer
  /** Encrypts a secret value that the service must be able to decrypt. */
  sealValue(text: string): Buffer
  /** Decrypts a secret value, even with a key that another node has just created. */
  unsealValue(sealed: Buffer): Promise<string>
  /** The secret from which the key that signs anchors of the audit trail is made. */
  anchorSeed(): Buffer
  /** Reads the keys again. Call it after a restore, which replaces them. */
  reload(): Promise<void>
}

/** The hashing keys never change, because what they hashed cannot be hashed again: agents would be locked out. */
const purposes = ['secret-hash', 'idempotent-answers', 'secret-values', 'audit-anchors'] as const

type Purpose = (typeof purposes)[number]

/** Reads the keys of this installation, and creates them at the first start. */
export async function openServerKeys(db: Database, keyFile?: KeyFile): Promise<ServerKeys> {
  const load = async () => {
    const keys = await ensureServerKeys(db, keyFile)
    // Without a key object, Node would create one for each hash, which takes four times as long as the hash.
    return {
      secrets: createSecretKey(newestOf(keys['secret-hash'])),
      answers: createSecretKey(newestOf(keys['idempotent-answers'])),
      anchors: newestOf(keys['audit-anchors']),
      values: keys['secret-values'],
      newestValueKey: Math.max(...keys['secret-values'].keys()),
    }
  }
  let keys = await load()
  const reload = async () => {
    keys = await load()
  }
  return {
    hashSecret: (secret) => createHmac('sha256', keys.secrets).update(secret).digest(),
    deriveKey: (text) => createHmac('sha256', keys.answers).update(text).digest(),
    sealValue: (text) => sealWithGeneration(keys.values, keys.newestValueKey, text),
    async unsealValue(sealed) {
      if (!keys.values.has(generationOf(sealed))) await reload()
      return unsealWithGeneration(keys.values, sealed)
    },
    anchorSeed: () => keys.anchors,
    reload,
  }
}

function newestOf(keys: ValueKeys): Buffer {
  const newest = keys.get(Math.max(...keys.keys()))
  if (!newest) throw new Error('A key of the server is missing.')
  return newest
}

async function ensureServerKeys(db: Database, keyFile: KeyFile | undefined): Promise<Record<Purpose, ValueKeys>> {
  const stored = await listServerKeys(db)
  const isComplete = purposes.every((purpose) => stored.some((key) => key.purpose === purpose))
  const isProtected = stored.some(({ key_file_id }) => key_file_id !== null) || !keyFile
  const keys = isComplete && isProtected ? stored : await createMissingKeys(db, keyFile)
  const generationsOf = (purpose: Purpose): ValueKeys =>
    new Map(
      keys
        .filter((key) => key.purpose === purpose)
        .map((key) => [key.generation, unwrapServerKey(key, keyFile)] as const),
    )
  return Object.fromEntries(purposes.map((purpose) => [purpose, generationsOf(purpose)])) as Record<Purpose, ValueKeys>
}

function createMissingKeys(db: Database, keyFile: KeyFile | undefined) {
  return db.transaction().execute(async (tx) => {
    await lockAndProtectKeys(tx, keyFile)
    for (const purpose of purposes) {
      const name = { purpose, generation: 1 }
      const existing = await tx
        .selectFrom('server_keys')
        .select('purpose')
        .where('purpose', '=', purpose)
        .executeTakeFirst()
      if (existing) continue
      await tx
        .insertInto('server_keys')
        .values({ ...name, ...wrapServerKey(name, randomBytes(32), keyFile) })
        .execute()
    }
    return listServerKeys(tx)
  })
}
