import type { FastifyBaseLogger } from 'fastify'
import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import type { PeriodicTask } from '../../../jobs/scheduler.ts'
import type { Activity } from '../../../platform/load/activity.ts'
import { sendMagicPackets, type WakeSettings } from '../../../platform/magic-packets.ts'
import { assignWakeUpsToDepots, claimWakeUps, recordSentWakeUps } from '../wake-ups.ts'

export type WakeContext = { db: Database; settings: WakeSettings; logger: FastifyBaseLogger }

// Sending takes 5 ms each, so a batch is sent long before its claim ends.
const batchSize = 100
const retentionDays = 30

/** Other nodes send what they request for the next seconds themselves, and what is due later is found in time. */
const maxRestMs = 5_000

/**
 * Wakes computers at the second they are due. Any number of nodes may do so at once. It rests until the next wake-up is due or
 * something happens on this node.
 */
export function sendWakeUps(context: WakeContext, activity: Activity): PeriodicTask {
  let rest = { until: 0, count: activity.count() }
  return {
    name: 'send wake-ups',
    intervalSeconds: 1,
    runsAtStart: true,
    async run(signal) {
      if (performance.now() < rest.until && activity.count() === rest.count) return undefined
      const count = activity.count()
      const restMs = await sendDueWakeUps(context, signal)
      rest = { until: performance.now() + restMs, count }
      return undefined
    },
  }
}

/**
 * Assigns due wake-ups to the depots in the networks of their computers and sends all others. Returns for how many milliseconds
 * none is due.
 */
export async function sendDueWakeUps(context: WakeContext, signal?: AbortSignal): Promise<number> {
  const { db } = context
  const restMs = await millisecondsUntilDue(db)
  if (restMs > 0) return restMs
  while ((await assignWakeUpsToDepots(db)) > 0) if (signal?.aborted) return 0
  while ((await sendBatch(context)) > 0) if (signal?.aborted) return 0
  await sql`delete from wake_requests where sent_at < now() - make_interval(days => ${retentionDays})`.execute(db)
  return 0
}

/** At most `maxRestMs`. */
async function millisecondsUntilDue(db: Database): Promise<number> {
  // An index has the minimum, whatever the planner believes about the table after a burst of requests.
  const { rows } = await sql<{ seconds: number | null }>`
    select extract(epoch from least(
      (select min(wake_at) from wake_requests where sent_at is null and retry_at is null),
      (select min(retry_at) from wake_requests where sent_at is null)) - now())::float8 as seconds`.execute(db)
  const seconds = rows[0]?.seconds
  return Math.min(maxRestMs, (seconds ?? Number.POSITIVE_INFINITY) * 1_000)
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
