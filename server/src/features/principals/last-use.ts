import type { FastifyBaseLogger } from 'fastify'
import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import type { LastUse } from '../../platform/authentication/principals.ts'

const intervalMinutes = 5

/** Records when principals made their last request, to within five minutes: a write for every request would cost too much. */
export function openLastUse(db: Database, logger?: FastifyBaseLogger): LastUse {
  const recordedAt = new Map<number, number>()

  async function write(principalId: number): Promise<void> {
    await sql`
      insert into principal_uses as known (principal_id) values (${principalId})
      on conflict on constraint principal_uses_pkey do update set last_used_at = now()
      where known.last_used_at < now() - make_interval(mins => ${intervalMinutes})`.execute(db)
  }

  return {
    record(principalId) {
      const now = Date.now()
      if ((recordedAt.get(principalId) ?? 0) > now - intervalMinutes * 60_000) return
      recordedAt.set(principalId, now)
      // The request does not depend on it, and must not wait for it.
      write(principalId).catch((err: unknown) => logger?.warn({ err, principalId }, 'The use could not be recorded.'))
    },
  }
}
