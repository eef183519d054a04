import type pg from 'pg'
import { ConfigurationError } from '../configuration-error.ts'
import type { KeyFile } from './key-file.ts'
import {
  type StoredServerKey,
  type StoredSigningKey,
  unwrapServerKey,
  unwrapSigningKey,
  wrapServerKey,
  wrapSigningKey,
} from './protect-keys.ts'

/**
 * Makes sure that the service can read the keys of a restored backup. Keys of another key file, which must be given, are
 * wrapped again. Throws otherwise so that the restore is undone.
 */
export async function adoptRestoredKeys(
  client: pg.ClientBase,
  keyFile: KeyFile | undefined,
  keyFileOfBackup: KeyFile | undefined,
): Promise<void> {
  const { rows: serverKeys } = await client.query<StoredServerKey>(
    'select purpose, generation, key, key_file_id from server_keys',
  )
  const used = serverKeys.map(({ key_file_id }) => key_file_id).find((id) => id !== null)
  // Keys without a key file are protected when the service reads them.
  if (used === undefined) return
  if (used === keyFile?.id) {
    for (const key of serverKeys) unwrapServerKey(key, keyFile)
    return
  }
  if (!keyFile || used !== keyFileOfBackup?.id)
    throw new ConfigurationError(
      `The keys in the backup are protected by the key file ${used}. Set MUSTER_KEY_FILE to that file` +
        `${keyFile ? ', or add --key-file FILE' : ''}. Nothing was changed.`,
    )
  for (const stored of serverKeys) {
    const { key, key_file_id } = wrapServerKey(stored, unwrapServerKey(stored, keyFileOfBackup), keyFile)
    await client.query('update server_keys set key = $1, key_file_id = $2 where purpose = $3 and generation = $4', [
      key,
      key_file_id,
      stored.purpose,
      stored.generation,
    ])
  }
  const { rows: signingKeys } = await client.query<StoredSigningKey>(
    'select id, private_key, key_file_id from signing_keys where key_file_id is not null',
  )
  for (const stored of signingKeys) {
    const jwk = unwrapSigningKey(stored, keyFileOfBackup)
    await client.query('update signing_keys set private_key = $1::jsonb, key_file_id = $2 where id = $3', [
      wrapSigningKey(stored.id, jwk, keyFile).private_key,
      keyFile.id,
      stored.id,
    ])
  }
}
