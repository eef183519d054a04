import { sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import type { ServerKeys } from './authentication/server-keys.ts'
import { idempotencyKeyReused } from './general-problems.ts'
import { seal, unseal } from './sealing.ts'
import { invalidPart } from './validation.ts'

export type StoredAnswer = { status: number; body?: string; headers: Record<string, string> }

export type IdempotentRequest = {
  /** The answer of the first request under this key, if there was one. Otherwise this is the first. */
  replay(db: Database): Promise<StoredAnswer | undefined>
  /** The same, for a request that cannot be the first before it is done. */
  find(db: Database): Promise<StoredAnswer | undefined>
  /** Works while others under this key wait that do the same, across several transactions of the connection. */
  alone<T>(connection: Database, work: () => Promise<T>): Promise<T>
  store(db: Database, answer: StoredAnswer): Promise<void>
}

/**
 * Remembers the answer to a request for a day under the key that its client chose. A second request under the same key
 * waits for the first one to commit, because both insert the same row.
 */
export function idempotentRequest(
  keys: ServerKeys,
  key: string,
  principalId: number,
  request: unknown,
): IdempotentRequest {
  if (!/^[\x21-\x7e]{1,255}$/.test(key))
    throw invalidPart('header', 'Idempotency-Key', 'must be 1 to 255 printable ASCII characters')
  const keyHash = keys.deriveKey(`lookup ${principalId} ${key}`)
  const sealingKey = keys.deriveKey(`seal ${principalId} ${key}`)
  // Keyed too, because a request may carry a secret that could be guessed.
  const requestHash = keys.deriveKey(`request ${JSON.stringify(request)}`)
  const lock = keyHash.readBigInt64BE()

  async function find(db: Database): Promise<StoredAnswer | undefined> {
    const first = await db
      .selectFrom('idempotency_keys')
      .select(['request_hash', 'sealed_answer'])
      .where('key_hash', '=', keyHash)
      .where('created_at', '>=', sql<Date>`now() - interval '24 hours'`)
      .executeTakeFirst()
    if (!first) return undefined
    if (!requestHash.equals(first.request_hash) || !first.sealed_answer) throw idempotencyKeyReused()
    return JSON.parse(unseal(sealingKey, first.sealed_answer))
  }

  return {
    find,
    async replay(db) {
      await purgeExpired(db)
      return (await claim(db, keyHash, requestHash)) ? undefined : find(db)
    },
    async alone(connection, work) {
      await sql`select pg_advisory_lock(${lock}::bigint)`.execute(connection)
      try {
        return await work()
      } finally {
        // A connection that broke has no locks any more.
        await sql`select pg_advisory_unlock(${lock}::bigint)`.execute(connection).catch(() => {})
      }
    },
    async store(db, answer) {
      await db
        .updateTable('idempotency_keys')
        .set({ sealed_answer: seal(sealingKey, JSON.stringify(answer)) })
        .where('key_hash', '=', keyHash)
        .execute()
    },
  }
}

async function claim(db: Database, keyHash: Buffer, requestHash: Buffer): Promise<boolean> {
  const { rows } = await sql`
    insert into idempotency_keys as stored (key_hash, request_hash) values (${keyHash}, ${requestHash})
    on conflict (key_hash) do update
      set request_hash = excluded.request_hash, sealed_answer = null, created_at = now()
      where stored.created_at < now() - interval '24 hours'
    returning 1`.execute(db)
  return rows.length > 0
}

/** Each use clears away a few old rows, so that the table stays as small as its use. */
async function purgeExpired(db: Database): Promise<void> {
  await sql`
    delete from idempotency_keys where key_hash in (
      select key_hash from idempotency_keys
      where created_at < now() - interval '24 hours' limit 20 for update skip locked)`.execute(db)
}
