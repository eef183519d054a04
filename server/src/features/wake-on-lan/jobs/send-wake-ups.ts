import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { isDatabaseUnavailable } from '../../../database/errors.ts'
import { sendMagicPackets, type WakeSettings } from '../../../platform/magic-packets.ts'
import { endOwnWakeUps, handOverWakeUps, holdOwnWakeUps } from '../wake-ups.ts'

export type WakeContext = { db: Database; settings: WakeSettings; logger: FastifyBaseLogger }

const msBetweenLooks = 1_000
// They are held in a transaction while they are sent, which takes a quarter of a second.
const batch = 50
const retentionDays = 30

/** Looks once a second for computers to be woken. Any number of nodes may do so at once. */
export function startWakeUps(context: WakeContext): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const work = keepLooking(context, stopping.signal)
  return {
    async stop() {
      stopping.abort()
      await work
    },
  }
}

async function keepLooking(context: WakeContext, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await sendDueWakeUps(context, signal).catch((error: unknown) => {
      if (!isDatabaseUnavailable(error)) context.logger.error({ err: error }, 'Computers could not be woken.')
    })
    await sleep(msBetweenLooks, undefined, { signal, ref: false }).catch(() => undefined)
  }
}

/** Gives depots what is due in their networks and sends the rest. */
export async function sendDueWakeUps(context: WakeContext, signal?: AbortSignal): Promise<void> {
  const { db } = context
  if (!(await hasDueWakeUps(db))) return
  while ((await handOverWakeUps(db)) > 0) if (signal?.aborted) return
  while (await sendBatch(context)) if (signal?.aborted) return
  await sql`delete from wake_requests where sent_at < now() - make_interval(days => ${retentionDays})`.execute(db)
}

async function hasDueWakeUps(db: Database): Promise<boolean> {
  // The least of them, because an index has it, whatever is known of the table after a burst.
  const { rows } = await sql<{ due: boolean }>`
    select coalesce(least(
      (select min(wake_at) from wake_requests where sent_at is null and retry_at is null),
      (select min(retry_at) from wake_requests where sent_at is null)) <= now(), false) as due`.execute(db)
  return rows[0]?.due ?? false
}

/** If the node dies in between, another one sends them again, which wakes nobody who is awake. */
async function sendBatch({ db, settings, logger }: WakeContext): Promise<boolean> {
  return db.transaction().execute(async (transaction) => {
    const held = await holdOwnWakeUps(transaction, batch)
    if (held.length === 0) return false
    const sent = await sendMagicPackets(held, settings)
    const ids = held.map(({ id }) => id)
    await endOwnWakeUps(transaction, ids, sent)
    const failed = ids.filter((id) => !sent.has(id))
    if (failed.length > 0) logger.warn({ wakeUps: failed }, 'Magic packets could not be sent.')
    return true
  })
}
