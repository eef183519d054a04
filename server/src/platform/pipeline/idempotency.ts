import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import type { ServerKeys } from '../authentication/server-keys.ts'
import { idempotencyKeyReused } from '../general-problems.ts'
import { seal, unseal } from '../sealing.ts'
import { invalidPart } from '../validation.ts'
import type { FinishedAnswer } from './run-context.ts'

/** The Idempotency-Key of a request, and what the database knows about it. */
export type IdempotencyKey = {
  /**
   * Claims the key for this request. Returns false if an earlier request has it; waits if that one is not committed.
   * Also deletes a few expired keys so that the table does not grow beyond what is in use.
   */
  claim(tx: Database): Promise<boolean>
  /** The stored answer to the first request under this key. Throws 422 if that was a different request. */
  findAnswer(db: Database): Promise<FinishedAnswer | undefined>
  storeAnswer(tx: Database, answer: FinishedAnswer): Promise<void>
  /** Runs work of several transactions. Other requests under this key that do the same wait, on any node. */
  runExclusively<T>(db: Database, work: () => Promise<T>): Promise<T>
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
    runExclusively: (db, work) => runAfterOthers(() => runUnderLock(db, lock, work)),
  }
}

/**
 * Runs the work while a transaction of its own has the lock. The lock belongs to a transaction and not to a session,
 * because behind a pooler a session belongs to nobody: each transaction of the work may use another one.
 */
function runUnderLock<T>(db: Database, lock: bigint, work: () => Promise<T>): Promise<T> {
  return db.transaction().execute(async (tx) => {
    // The transaction is idle for as long as the work takes.
    await sql`select set_config('idle_in_transaction_session_timeout', '0', true)`.execute(tx)
    await sql`select pg_advisory_xact_lock(${lock}::bigint)`.execute(tx)
    return work()
  })
}

let lastRun: Promise<unknown> = Promise.resolve()

/**
 * Runs one work at a time in this process. Each needs a second connection while it has the one with the lock: if the
 * locks could take all connections of the pool, all of them would wait forever.
 */
function runAfterOthers<T>(work: () => Promise<T>): Promise<T> {
  const run = lastRun.then(work)
  lastRun = run.catch(() => undefined)
  return run
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
