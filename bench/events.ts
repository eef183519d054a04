import { once } from 'node:events'
import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type pg from 'pg'
import type { ConnectedDatabase, Database } from '../server/src/database/connect.ts'
import { sequenceBatch } from '../server/src/features/events/jobs/sequence-events.ts'
import { assignPackages, atOnce, countActivationStatements, emptyTables, getRoot } from './activation.ts'
import { growFleet } from './fleet.ts'
import { type BenchService, insertCaller, withService } from './service.ts'
import { reportTarget } from './target.ts'

const computers = 10_000
const rounds = 3
const maxRatio = 1.15
const readers = 1_000
/** As many streams as one principal may have at once. */
const readersPerPrincipal = 100
const batches = 20
const eventsPerBatch = 50

/** The cost of events in the largest transaction, and of many readers of the stream. */
export async function benchEvents(): Promise<void> {
  await withService(async (service) => {
    await growFleet(service.database.db, computers)
    await assignPackages(service.database.db)
    await benchActivationWithEvents(service.database)
    await benchFanOut(service)
  })
}

/** Activates the whole tree in turn with and without the triggers that leave events. */
async function benchActivationWithEvents({ db, pool }: ConnectedDatabase): Promise<void> {
  const root = await getRoot(db)
  const times = { with: [] as number[], without: [] as number[] }
  let events = 0
  // The first round fills the caches.
  for (let round = 0; round <= rounds; round++)
    for (const variant of ['with', 'without'] as const) {
      await emptyTables(db)
      await sql`truncate event_outbox`.execute(db)
      await setEventTriggers(pool, variant === 'with')
      const start = performance.now()
      await countActivationStatements(pool, root, atOnce)
      if (round > 0) times[variant].push(performance.now() - start)
      if (variant === 'with') events = await countOutbox(db)
    }
  await setEventTriggers(pool, true)
  const [withEvents, without] = [medianOf(times.with), medianOf(times.without)]
  const ratio = withEvents / without
  console.table({
    'with events': { milliseconds: Math.round(withEvents), events },
    'without events': { milliseconds: Math.round(without), events: 0 },
  })
  reportTarget(
    `activation of ${computers} computers with 20 packages: ${ratio.toFixed(2)} of the time without events, target ${maxRatio}`,
    ratio <= maxRatio,
  )
  reportTarget(`${events} events for ${computers * 20} work items, target 100`, events <= 100)
}

const activationTables = ['activations', 'tasks', 'work', 'deployments', 'computers']

async function setEventTriggers(pool: pg.Pool, areEnabled: boolean): Promise<void> {
  const { rows } = await pool.query<{ change: string }>(
    `select format('alter table %s %s trigger %I', tgrelid::regclass, $2::text, tgname) as change
     from pg_trigger join pg_proc on pg_proc.oid = tgfoid
     where not tgisinternal and tgrelid::regclass::text = any($1) and prosrc like '%event_outbox%'`,
    [activationTables, areEnabled ? 'enable' : 'disable'],
  )
  for (const { change } of rows) await pool.query(change)
}

async function countOutbox(db: Database): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) from event_outbox`.execute(db)
  return rows[0]?.count ?? 0
}

const medianOf = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

/** Sends batches of events to many streams of one process. The readers share its processor time. */
async function benchFanOut({ database, app, address }: BenchService): Promise<void> {
  let received = 0
  const principals = await Promise.all(
    Array.from({ length: readers / readersPerPrincipal }, () => insertCaller(database.db, app)),
  )
  const streams = await Promise.all(
    Array.from({ length: readers }, async (_, reader) => {
      const headers = principals[reader % principals.length]?.headers ?? {}
      const sent = request(`${address}/api/events/stream`, { agent: false, headers }).end()
      const [response] = await once(sent, 'response')
      response.on('data', (chunk: Buffer) => {
        received += chunk.toString('latin1').split('\nevent: ').length - 1
      })
      return sent
    }),
  )
  while (app.services.eventHub.followerCount() < readers) await sleep(10)
  await sequenceBatch(database.db)
  await sleep(1_000)
  received = 0
  const [statements, processor, start] = [database.statementCount(), process.cpuUsage(), performance.now()]
  for (let batch = 0; batch < batches; batch++) {
    await sql`
      insert into event_outbox (type, subject, data)
      select 'muster.computer.back', '/api/computer', '{"computers": 2}' from generate_series(1, ${eventsPerBatch}::integer)`.execute(
      database.db,
    )
    await sequenceBatch(database.db)
    while (received < (batch + 1) * eventsPerBatch * readers) await sleep(1)
  }
  const seconds = (performance.now() - start) / 1_000
  const { user, system } = process.cpuUsage(processor)
  const delivered = batches * eventsPerBatch * readers
  const perBatch = (database.statementCount() - statements) / batches - 2
  console.log(
    `${readers} streams: ${delivered} events delivered in ${seconds.toFixed(1)} s, ` +
      `${((user + system) / delivered).toFixed(1)} µs of processor time each, readers included`,
  )
  reportTarget(`statements for a batch of events: ${perBatch.toFixed(1)} for all readers, target 10`, perBatch <= 10)
  for (const stream of streams) stream.destroy()
}
