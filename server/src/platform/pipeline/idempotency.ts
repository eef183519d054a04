import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import type { ServerKeys } from '../authentication/server-keys.ts'
import { idempotencyKeyReused } from '../general-problems.ts'
import { seal, unseal } from '../sealing.ts'
import { invalidPart } from '../validation.ts'
import type { FinishedAnswer } from './operation-run.ts'

/** The Idempotency-Key of a request, and what the database knows about it. */
export type IdempotencyKey = {
  /**
   * Claims the key for this request. Returns false if an earlier request has it; waits if that one is not committed.
   * Also deletes a few expired keys, so that the table does not grow beyond what is in use.
   */
  claim(tx: Database): Promise<boolean>
  /** The stored answer to the first request under this key. Throws 422 if that was a different request. */
  findAnswer(db: Database): Promise<FinishedAnswer | undefined>
  storeAnswer(tx: Database, answer: FinishedAnswer): Promise<void>
  /** Runs work of several transactions on one connection. Other requests under this key that do the same wait. */
  runExclusively<T>(connection: Database, work: () => Promise<T>): Promise<T>
}

/** A key is valid for 24 hours and belongs to one principal. Its answer can only be decrypted with the key itself. */
export function idempotencyKey(keys: ServerKeys, key: string, principalId: number, request: unknown): IdempotencyKey {
  if (!/^[\x21-\x7e]{1,255}$/.test(key))
    throw invalidPart('header', 'Idempotency-Key', 'must be 1 to 255 printable ASCII characters')
  const keyHash = keys.deriveKey(`lookup ${principalId} ${key}`)
  const sealingKey = keys.deriveKey(`seal ${principalId} ${key}`)
  // A keyed hash, because a request may carry a secret that could be guessed from a plain one.
  const requestHash = keys.deriveKey(`request ${JSON.stringify(request)}`)
  const lock = keyHash.readBigInt64BE()

  return {
    async claim(tx) {
      await purgeExpiredKeys(tx)
      return insertKey(tx, keyHash, requestHash)
    },
    async findAnswer(db) {
      const first = await db
        .selectFrom('idempotency_keys')
        .select(['request_hash', 'sealed_answer'])
        .where('key_hash', '=', keyHash)
        .where('created_at', '>=', sql<Date>`now() - interval '24 hours'`)
        .executeTakeFirst()
      if (!first) return undefined
      if (!requestHash.equals(first.request_hash) || !first.sealed_answer) throw idempotencyKeyReused()
      return JSON.parse(unseal(sealingKey, first.sealed_answer))
    },
    async storeAnswer(tx, answer) {
      await tx
        .updateTable('idempotency_keys')
        .set({ sealed_answer: seal(sealingKey, JSON.stringify(answer)) })
        .where('key_hash', '=', keyHash)
        // Another request may have used the key since: its stored answer must not change.
        .where('request_hash', '=', requestHash)
        .execute()
    },
    async runExclusively(connection, work) {
      await sql`select pg_advisory_lock(${lock}::bigint)`.execute(connection)
      try {
        return await work()
      } finally {
        // This fails only if the connection broke, which released the lock.
        await sql`select pg_advisory_unlock(${lock}::bigint)`.execute(connection).catch(() => {})
      }
    },
  }
}

/** Returns whether the key was free or expired. Conflicts with an uncommitted insert of the same key, and then waits. */
async function insertKey(tx: Database, keyHash: Buffer, requestHash: Buffer): Promise<boolean> {
  const { rows } = await sql`
    insert into idempotency_keys as stored (key_hash, request_hash) values (${keyHash}, ${requestHash})
    on conflict (key_hash) do update
      set request_hash = excluded.request_hash, sealed_answer = null, created_at = now()
      where stored.created_at < now() - interval '24 hours'
    returning 1`.execute(tx)
  return rows.length > 0
}

async function purgeExpiredKeys(tx: Database): Promise<void> {
  await sql`
    delete from idempotency_keys where key_hash in (
      select key_hash from idempotency_keys
      where created_at < now() - interval '24 hours' limit 20 for update skip locked)`.execute(tx)
}
