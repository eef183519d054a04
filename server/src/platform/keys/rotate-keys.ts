import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { insertSigningKey } from '../authentication/signing-keys.ts'
import { ConfigurationError } from '../configuration-error.ts'
import type { KeyFile } from './key-file.ts'
import {
  listServerKeys,
  listSigningKeys,
  lockAndProtectKeys,
  unwrapServerKey,
  unwrapSigningKey,
  wrapServerKey,
  wrapSigningKey,
} from './protect-keys.ts'
import type { ValueKeys } from './sealed-values.ts'

const valuePurpose = 'secret-values'

/** Creates a new signing key and returns its id. Earlier keys verify their tokens until these expire, unless all end. */
export function rotateSigningKey(db: Database, keyFile: KeyFile | undefined, endTokens: boolean): Promise<string> {
  return db.transaction().execute(async (tx) => {
    await lockAndProtectKeys(tx, keyFile)
    if (endTokens) await tx.deleteFrom('signing_keys').execute()
    const id = await insertSigningKey(tx, keyFile)
    await notifyNodes(tx)
    return id
  })
}

/** Creates the key with which every node seals values as soon as it is notified. Returns its generation. */
export function addValueKey(db: Database, keyFile: KeyFile | undefined): Promise<number> {
  return db.transaction().execute(async (tx) => {
    await lockAndProtectKeys(tx, keyFile)
    const generation = Math.max(...(await loadValueKeys(tx, keyFile)).keys()) + 1
    const name = { purpose: valuePurpose, generation }
    await tx
      .insertInto('server_keys')
      .values({ ...name, ...wrapServerKey(name, randomBytes(32), keyFile) })
      .execute()
    await notifyNodes(tx)
    return generation
  })
}

export async function loadValueKeys(db: Database, keyFile: KeyFile | undefined): Promise<ValueKeys> {
  const keys = (await listServerKeys(db)).filter(({ purpose }) => purpose === valuePurpose)
  return new Map(keys.map((key) => [key.generation, unwrapServerKey(key, keyFile)]))
}

/**
 * Deletes value keys that were replaced so long ago that every node has read the new one. The caller has checked that no
 * value needs them. Returns the number of deleted keys.
 */
export async function purgeValueKeys(db: Database, unused: readonly number[]): Promise<number> {
  if (unused.length === 0) return 0
  const purged = await db
    .deleteFrom('server_keys as replaced')
    .where('purpose', '=', valuePurpose)
    .where('generation', 'in', unused)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('server_keys as newer')
          .select('newer.purpose')
          .where('newer.purpose', '=', valuePurpose)
          .whereRef('newer.generation', '>', 'replaced.generation')
          .where('newer.created_at', '<', sql<Date>`now() - interval '2 days'`),
      ),
    )
    .executeTakeFirst()
  return Number(purged.numDeletedRows)
}

/** Wraps all keys with another key file. The service must be restarted with it. */
export function replaceKeyFile(db: Database, from: KeyFile, to: KeyFile): Promise<void> {
  if (from.id === to.id) throw new ConfigurationError('The two key files contain the same key.')
  return db.transaction().execute(async (tx) => {
    await lockAndProtectKeys(tx, from)
    for (const stored of await listServerKeys(tx))
      await tx
        .updateTable('server_keys')
        .set(wrapServerKey(stored, unwrapServerKey(stored, from), to))
        .where('purpose', '=', stored.purpose)
        .where('generation', '=', stored.generation)
        .execute()
    for (const stored of await listSigningKeys(tx))
      await tx
        .updateTable('signing_keys')
        .set(wrapSigningKey(stored.id, unwrapSigningKey(stored, from), to))
        .where('id', '=', stored.id)
        .where('key_file_id', '=', from.id)
        .execute()
  })
}

/** Every process that listens reads its keys again, as after a restore. */
async function notifyNodes(tx: Database): Promise<void> {
  await sql`notify muster_restored`.execute(tx)
}
