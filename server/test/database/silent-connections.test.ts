import { sql } from 'kysely'
import { describe, expect, inject, type TestContext, test, vi } from 'vitest'
import { expectSooner, secondsOf } from '../../../tools/elapsed.ts'
import { buildApp } from '../../src/app.ts'
import { type Connection, connect } from '../../src/database/connect.ts'
import { laneLimits } from '../../src/database/lanes.ts'
import { whoAmI } from '../../src/features/service/api/who-am-i.ts'
import { startDatabaseProxy } from '../faults/matrix/database-proxy.ts'
import { caller } from '../world/caller.ts'
import { openWorld } from '../world/open-world.ts'
import { skipTime } from '../world/skip-time.ts'

// The proxy connects to the Unix socket of the server of the tests.
const isOnSocket = 'host' in inject('postgres')
const world = await openWorld()
const statement = { text: 'select 1' }

/** The database of the world, through a network that can fall silent. */
async function connectThroughProxy(onTestFinished: TestContext['onTestFinished']) {
  const { host, port, user, database: name } = world.database.connection as Extract<Connection, { host: string }>
  const proxy = await startDatabaseProxy(() => `${host}/.s.PGSQL.${port}`)
  const database = connect({ connectionString: `postgres://${user}@127.0.0.1:${proxy.port}/${name}?sslmode=disable` })
  onTestFinished(async () => {
    await database.close()
    await proxy.close()
  })
  return { database, proxy }
}

/** The statements of the lane that sleep on the server, of all tests of this file. */
async function countSleeping(lane: string): Promise<number> {
  const { rows } = await sql`
    select from pg_stat_activity
    where datname = current_database() and application_name like ${`muster ${lane} %`} and wait_event = 'PgSleep'`.execute(
    world.database.db,
  )
  return rows.length
}

describe.runIf(isOnSocket).concurrent('a silent network', () => {
  test('a connection without an answer is destroyed at the deadline of its lane, and the next statement works', async ({
    onTestFinished,
  }) => {
    const { database, proxy } = await connectThroughProxy(onTestFinished)
    const { contacts } = database.lanes
    await contacts.query(statement)

    proxy.silenceOne()
    const failed = contacts.query(statement)

    await expect(failed).rejects.toThrow('Query read timeout')
    expect(contacts.pool.totalCount).toBe(0)
    expect((await contacts.query(statement)).rowCount).toBe(1)
  })

  test('a transaction on a silent connection fails once, not once more for its rollback', async ({
    onTestFinished,
  }) => {
    const { database, proxy } = await connectThroughProxy(onTestFinished)
    const { db } = database.lanes.contacts
    await database.lanes.contacts.query(statement)

    proxy.silenceOne()
    const seconds = await secondsOf(() =>
      db
        .transaction()
        .execute((tx) => tx.selectFrom('computers').select('id').execute())
        .catch(() => undefined),
    )

    expectSooner(seconds, { thanWithDefect: 2 * laneLimits.contacts.deadlineSeconds })
  })

  test('a change on a connection that falls silent keeps its locks for seconds, not for a minute', async ({
    onTestFinished,
  }) => {
    const { database, proxy } = await connectThroughProxy(onTestFinished)
    const key = sql<boolean>`pg_try_advisory_xact_lock(5057)`.as('isFree')
    const isFree = () => world.database.db.selectNoFrom(key).executeTakeFirst()
    const silent = Promise.withResolvers<void>()
    const change = database.lanes.writes.db.transaction().execute(async (tx) => {
      await tx.selectNoFrom(key).execute()
      proxy.silenceAll()
      silent.resolve()
      await tx.selectNoFrom(key).execute()
    })
    void change.catch(() => undefined)
    await silent.promise

    expect(await isFree()).toEqual({ isFree: false })
    await expect.poll(isFree, { timeout: 15_000, interval: 200 }).toEqual({ isFree: true })
  })

  test('after one connection fell silent, those of all lanes that have not answered since are replaced', async ({
    onTestFinished,
  }) => {
    const { database, proxy } = await connectThroughProxy(onTestFinished)
    const lanes = Object.values(database.lanes)
    await Promise.all(lanes.map(({ query }) => query(statement)))

    proxy.silenceAll()
    await proxy.pass()
    await database.lanes.contacts.query(statement).catch(() => undefined)
    const seconds = await secondsOf(() => Promise.all(lanes.map(({ query }) => query(statement))))

    expectSooner(seconds, { thanWithDefect: laneLimits.contacts.deadlineSeconds })
  })

  test('a request does not wait for the silent connection that looks up its principal', async ({ onTestFinished }) => {
    const { database, proxy } = await connectThroughProxy(onTestFinished)
    const app = await buildApp({ database, configuration: world.app.services.configuration })
    onTestFinished(() => app.http.close())
    const { id } = await world.given.localPrincipal()
    const client = caller(app, await app.services.tokens.issue(id))
    await client.call(whoAmI)

    proxy.silenceOne()
    const [answer, seconds] = await Promise.all([client.call(whoAmI), secondsOf(() => client.call(whoAmI))])

    expect(answer.status).toBe(200)
    expectSooner(seconds, { thanWithDefect: laneLimits.signIn.deadlineSeconds })
  })

  test('when the network works again, statements whose answers were lost make room long before their deadline', async ({
    onTestFinished,
  }) => {
    const { database, proxy } = await connectThroughProxy(onTestFinished)
    const { reads, signIn } = database.lanes
    await signIn.query(statement)
    const lost = Array.from({ length: reads.pool.options.max }, () => reads.query({ text: 'select pg_sleep(1.5)' }))
    const outcomes = Promise.allSettled(lost)
    await vi.waitFor(async () => expect(await countSleeping('reads')).toBe(lost.length), 5_000)

    proxy.silenceAll()
    await signIn.query({ ...statement, query_timeout: 700 }).catch(() => undefined)
    await proxy.pass()
    const seconds = await secondsOf(() => reads.query(statement))

    expectSooner(seconds, { thanWithDefect: laneLimits.reads.deadlineSeconds })
    expect(new Set((await outcomes).map(({ status }) => status))).toEqual(new Set(['rejected']))
  })

  test('a statement that the server still executes is not mistaken for one whose answer was lost', async ({
    onTestFinished,
  }) => {
    const { database, proxy } = await connectThroughProxy(onTestFinished)
    const { fleetReads, signIn } = database.lanes
    const long = fleetReads.query({ text: 'select pg_sleep(6)' })
    await vi.waitFor(async () => expect(await countSleeping('fleetReads')).toBe(1), 5_000)
    await signIn.query(statement)

    proxy.silenceOne()
    await signIn.query({ ...statement, query_timeout: 500 }).catch(() => undefined)

    expect((await long).rowCount).toBe(1)
  })
})

// Not beside the others: it moves the clock of the process.
describe.runIf(isOnSocket)('a silent network, some time later', () => {
  test('a connection that fell silent while it was idle is noticed before it is used', async ({ onTestFinished }) => {
    const { database, proxy } = await connectThroughProxy(onTestFinished)
    const { reads } = database.lanes
    await reads.query(statement)
    proxy.silenceOne()
    skipTime(2_100)

    const seconds = await secondsOf(() => reads.query(statement))

    expectSooner(seconds, { thanWithDefect: laneLimits.reads.deadlineSeconds })
  })
})
