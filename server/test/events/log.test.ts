import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { connect } from '../../src/database/connect.ts'
import { listEvents } from '../../src/features/events/api/list-events.ts'
import { readEvents } from '../../src/features/events/event-log.ts'
import { dropEventDays } from '../../src/features/events/jobs/drop-event-days.ts'
import { sequenceBatch } from '../../src/features/events/jobs/sequence-events.ts'
import { databaseEnvironment } from '../database/backup/commands.ts'
import { openWorld } from '../world/open-world.ts'
import { eventsOf, lastPosition, sequenceAll } from './read-log.ts'

const world = await openWorld()
const { as, db, database, given } = world
const nodes = [db, connect(database.connection, { size: 8 }).db]

const write = (name: string, pauseSeconds = 0) =>
  db.transaction().execute(async (tx) => {
    await sql`insert into event_outbox (type, subject, data)
      values ('muster.group.created', ${name}, '{}'), ('muster.group.changed', ${name}, '{}')`.execute(tx)
    await sql`select pg_sleep(${pauseSeconds})`.execute(tx)
  })

/** Reads the log as a program does, a few events at a time, until it has seen the event. */
async function follow(after: string, isLast: (subjects: string[]) => boolean) {
  const seen: { position: number; subject: string; type: string }[] = []
  for (let position = after; !isLast(seen.map(({ subject }) => subject)); await sleep(5)) {
    const { body } = await as('group.read').call(listEvents, { query: { after: position, limit: 7 } })
    seen.push(...body.items.map((item) => ({ ...item, position: Number(item.position) })))
    position = body.nextAfter
  }
  return seen
}

test('an event that commits after later ones gets a later position, and a reader gets it', async () => {
  const after = await lastPosition(db)
  const late = write('late', 0.5)
  await sleep(100)
  await write('early')
  await sequenceAll(db)
  const first = await as('group.read').call(listEvents, { query: { after } })
  await late
  await sequenceAll(db)

  const second = await as('group.read').call(listEvents, { query: { after: first.body.nextAfter } })

  expect(first.body.items.map(({ subject }) => subject)).toEqual(['early', 'early'])
  expect(second.body.items.map(({ subject }) => subject)).toEqual(['late', 'late'])
})

test('with concurrent writers, two nodes and a sequencer that is killed, a reader sees every event once and no gap', async () => {
  const after = await lastPosition(db)
  const names = Array.from({ length: 150 }, (_, number) => `writer ${number}`)
  let isWriting = true
  const sequencing = nodes.map(async (node) => {
    while (isWriting) if ((await sequenceBatch(node, 5)) === 0) await sleep(3)
  })
  const killing = killSequencers(() => isWriting)
  const reading = follow(after, (subjects) => subjects.length >= names.length * 2)
  await Promise.all(
    [0, 1, 2, 3, 4].map(async (lane) => {
      for (const name of names.filter((_, at) => at % 5 === lane)) await write(name, Math.random() * 0.03)
    }),
  )
  const seen = await reading
  isWriting = false
  const kills = await killing
  await Promise.all(sequencing)

  expect(kills).toBeGreaterThan(0)
  expect(seen.map(({ position }) => position)).toEqual(seen.map((_, at) => Number(after) + 1 + at))
  expect(seen.map(({ subject }) => subject).toSorted()).toEqual([...names, ...names].toSorted())
  for (const name of names)
    expect(seen.filter(({ subject }) => subject === name).map(({ type }) => type)).toEqual([
      'muster.group.created',
      'muster.group.changed',
    ])
})

/** Starts processes that sequence events as fast as they can, and kills each in the middle. */
async function killSequencers(isWriting: () => boolean): Promise<number> {
  const script = `
    const { default: pg } = await import('pg')
    const client = new pg.Client(process.env.MUSTER_DATABASE_URL)
    await client.connect()
    console.log('ready')
    for (;;) await client.query('select sequence_events(3)')`
  let kills = 0
  for (; isWriting(); kills++) {
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      env: { ...process.env, ...databaseEnvironment(database) },
      cwd: import.meta.dirname,
    })
    await once(child.stdout, 'data')
    await sleep(50)
    child.kill('SIGKILL')
    await once(child, 'close')
  }
  return kills
}

test('the log of a day is dropped as a whole, and a reader of it learns the oldest position', async () => {
  await write('yesterday')
  await sequenceAll(db)
  const old = await lastPosition(db)
  // As if the day were over: its partition keeps its rows.
  await sql`alter table events detach partition ${sql.raw(await partitionOfToday())}`.execute(db)
  await sql.raw(`update ${await partitionOfToday()} set day = day - 40`).execute(db)
  await sql.raw(`alter table ${await partitionOfToday()} rename to events_20000101`).execute(db)
  await sql`alter table events attach partition events_by_day.events_20000101
    for values in (${sql.raw(`'${await dayBefore(40)}'`)})`.execute(db)
  await sql`update event_days set day = day - 40`.execute(db)
  await sql`alter table events_by_day.events_20000101 rename to ${sql.raw(`events_${(await dayBefore(40)).replaceAll('-', '')}`)}`.execute(
    db,
  )
  await write('today')
  await sequenceAll(db)
  const both = await readEvents(db, { after: Number(old) - 2, limit: 10 })

  expect(both.events.map(({ subject }) => subject)).toEqual(['yesterday', 'yesterday', 'today', 'today'])
  expect(await dropEventDays(db, 41)).toBe(0)
  expect(await dropEventDays(db, 30)).toBe(1)
  const behind = await as('group.read').call(listEvents, { query: { after: String(Number(old) - 1) } })
  expect(behind).toMatchObject({ status: 410, problem: 'EventPositionUnavailable' })
  expect(behind.raw).toMatchObject({ oldestPosition: String(Number(old) + 1) })
  const resumed = await as('group.read').call(listEvents, { query: { after: old } })
  expect(resumed.body.items.map(({ subject }) => subject)).toEqual(['today', 'today'])
})

async function partitionOfToday(): Promise<string> {
  return `events_by_day.events_${(await dayBefore(0)).replaceAll('-', '')}`
}

async function dayBefore(days: number): Promise<string> {
  const { rows } = await sql<{ day: string }>`
    select ((now() at time zone 'UTC')::date - ${days}::integer)::text as day`.execute(db)
  return rows[0]?.day ?? ''
}

test('a position beyond the end of the log is refused, as after a restore', async () => {
  const beyond = await as('group.read').call(listEvents, { query: { after: '999999999' } })

  expect(beyond).toMatchObject({ status: 410, problem: 'EventPositionUnavailable' })
})

test('a page with a narrow filter continues where it has searched, and events of one computer are found', async () => {
  const [computer, other] = [await given.computer(), await given.computer()]
  const after = await lastPosition(db)
  await sql`update computers set name = name || '-x' where id in (${computer.id}, ${other.id})`.execute(db)
  await sequenceAll(db)

  const none = await as('computer.read').call(listEvents, { query: { after, types: 'muster.task.*' } })
  const own = await as('computer.read').call(listEvents, { query: { after, computerId: computer.id } })

  expect(none.body).toMatchObject({ items: [], hasMore: false, nextAfter: none.body.latestPosition })
  expect(own.body.items).toMatchObject([{ type: 'muster.computer.changed', data: { computerId: computer.id } }])
})

test('roles decide which events a caller sees, and naming a hidden type is refused', async () => {
  const after = await lastPosition(db)
  await given.computer()
  await given.group()
  await sequenceAll(db)

  const seen = await as('computer.read').call(listEvents, { query: { after } })
  const refused = await as('computer.read').call(listEvents, { query: { types: 'muster.group.created' } })
  const unknown = await as('computer.read').call(listEvents, { query: { types: 'muster.comet.*' } })

  expect(seen.body.items.map(({ type }) => type)).toEqual(['muster.computer.created'])
  expect(refused).toMatchObject({ status: 403, raw: { requiredRole: 'group.read' } })
  expect(unknown).toMatchObject({ status: 400, problem: 'InvalidRequest' })
})

test('an event has the attributes of CloudEvents 1.0', async () => {
  const [event] = await eventsOf(world, () => given.computer({ name: 'PC-1' }))

  expect(event).toMatchObject({
    specversion: '1.0',
    id: event?.position,
    source: expect.stringMatching(/^urn:uuid:/),
    type: 'muster.computer.created',
    subject: expect.stringMatching(/^\/api\/computer\/\d+$/),
    datacontenttype: 'application/json',
    data: { computers: 1, computerName: 'PC-1' },
  })
})
