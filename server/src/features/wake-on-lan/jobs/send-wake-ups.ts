import type { FastifyBaseLogger } from 'fastify'
import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import type { PeriodicTask } from '../../../jobs/scheduler.ts'
import { sendMagicPackets, type WakeSettings } from '../../../platform/magic-packets.ts'
import { assignWakeUpsToDepots, claimWakeUps, recordSentWakeUps } from '../wake-ups.ts'

export type WakeContext = { db: Database; settings: WakeSettings; logger: FastifyBaseLogger }

// Sending takes 5 ms each, so a batch is sent long before its claim ends.
const batchSize = 100
const retentionDays = 30

/** Wakes computers at the second they are due. Any number of nodes may do so at once. */
export function sendWakeUps(context: WakeContext): PeriodicTask {
  return {
    name: 'send wake-ups',
    intervalSeconds: 1,
    runsAtStart: true,
    async run(signal) {
      await sendDueWakeUps(context, signal)
      return undefined
    },
  }
}

/** Assigns due wake-ups to the depots in the networks of their computers and sends all others. */
export async function sendDueWakeUps(context: WakeContext, signal?: AbortSignal): Promise<void> {
  const { db } = context
  if (!(await hasDueWakeUps(db))) return
  while ((await assignWakeUpsToDepots(db)) > 0) if (signal?.aborted) return
  while ((await sendBatch(context)) > 0) if (signal?.aborted) return
  await sql`delete from wake_requests where sent_at < now() - make_interval(days => ${retentionDays})`.execute(db)
}

async function hasDueWakeUps(db: Database): Promise<boolean> {
  // An index has the minimum, whatever the planner believes about the table after a burst of requests.
  const { rows } = await sql<{ due: boolean }>`
    select coalesce(least(
      (select min(wake_at) from wake_requests where sent_at is null and retry_at is null),
      (select min(retry_at) from wake_requests where sent_at is null)) <= now(), false) as due`.execute(db)
  return rows[0]?.due ?? false
}

/**
 * No transaction is open while packets are sent. If the node dies in between, its claim ends after a minute and another
 * node sends the packets again, which does not affect a computer that is already awake.
 */
async function sendBatch({ db, settings, logger }: WakeContext): Promise<number> {
  const claimed = await claimWakeUps(db, batchSize)
  if (claimed.length === 0) return 0
  const sent = await sendMagicPackets(claimed, settings)
  const ids = claimed.map(({ id }) => id)
  await recordSentWakeUps(db, ids, sent)
  const failed = ids.filter((id) => !sent.has(id))
  if (failed.length > 0) logger.warn({ wakeUps: failed }, 'Magic packets could not be sent.')
  return claimed.length
}
