import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openWorld } from '../world/open-world.ts'

const { database, db, given } = await openWorld()

async function countStatements(run: () => Promise<unknown>): Promise<number> {
  const before = database.statementCount()
  await run()
  return database.statementCount() - before
}

const backendPid = sql<{ pid: number }>`select pg_backend_pid() as pid`

test('every statement is counted, including those of transactions and those sent without Kysely', async () => {
  expect(await countStatements(() => sql`select 1`.execute(db))).toBe(1)
  expect(await countStatements(() => database.lanes.reads.query({ text: 'select 1' }))).toBe(1)
  expect(await countStatements(() => db.transaction().execute((transaction) => backendPid.execute(transaction)))).toBe(
    3,
  )
})

test('no connection compiles statements, whatever the default of the server', async () => {
  const text = `select setting, source from pg_settings where name = 'jit'`
  const pools = [database.pool, ...Object.values(database.lanes)]

  const settings = await Promise.all(pools.map((pool) => pool.query({ text })))

  // `client`: the connection has asked for it. The embedded server has it switched off in any case.
  for (const { rows } of settings) expect(rows).toEqual([{ setting: 'off', source: 'client' }])
})

test('a transaction commits what it wrote and rolls back what failed', async () => {
  const { id } = await given.computer()
  const rename = (name: string) => db.updateTable('computers').set({ name }).where('id', '=', id)
  const findName = () => db.selectFrom('computers').select('name').where('id', '=', id).executeTakeFirst()

  await db.transaction().execute((transaction) => transaction.executeQuery(rename('committed')))
  const failed = db.transaction().execute(async (transaction) => {
    await transaction.executeQuery(rename('rolled back'))
    throw new Error('failed')
  })

  await expect(failed).rejects.toThrow('failed')
  expect(await findName()).toEqual({ name: 'committed' })
})

test('a transaction runs at the isolation level that it asks for', async () => {
  const { rows } = await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute((transaction) => sql`show transaction_isolation`.execute(transaction))

  expect(rows).toEqual([{ transaction_isolation: 'repeatable read' }])
})

test('a setting that is local to a transaction ends with it', async () => {
  await db.connection().execute(async (connection) => {
    const readTimeout = async (on: typeof db) => (await sql`show statement_timeout`.execute(on)).rows
    const before = await readTimeout(connection)

    const during = await connection.transaction().execute(async (transaction) => {
      await sql`set local statement_timeout = '7s'`.execute(transaction)
      return readTimeout(transaction)
    })

    expect(during).toEqual([{ statement_timeout: '7s' }])
    expect(await readTimeout(connection)).toEqual(before)
  })
})

test('a transaction that hides the failure of a statement does not appear to be committed', async () => {
  const hidden = db.transaction().execute(async (transaction) => {
    await sql`select 1 / 0`.execute(transaction).catch(() => undefined)
  })

  await expect(hidden).rejects.toThrow(/rolled back|abort/i)
})

test('a connection whose rollback fails is not used again', async () => {
  let pid: number | undefined
  const broken = db.transaction().execute(async (transaction) => {
    pid = (await backendPid.execute(transaction)).rows[0]?.pid
    await sql`select pg_terminate_backend(${pid})`.execute(db)
    await sql`select 1`.execute(transaction)
  })
  await expect(broken).rejects.toThrow()

  const pids = await Promise.all(Array.from({ length: 10 }, () => backendPid.execute(db)))
  expect(pids.flatMap(({ rows }) => rows)).not.toContainEqual({ pid })
})

test('a statement reports how many rows it changed, and a query reports none', async () => {
  const { id } = await given.computer()

  const { numUpdatedRows } = await db
    .updateTable('computers')
    .set({ name: 'renamed' })
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const { numAffectedRows } = await backendPid.execute(db)

  expect(numUpdatedRows).toBe(1n)
  expect(numAffectedRows).toBeUndefined()
})

test('the stack of a failed statement leads to its caller', async () => {
  async function callerOfTheStatement() {
    await sql`select 1 / 0`.execute(db)
  }

  await expect(callerOfTheStatement()).rejects.toMatchObject({ stack: expect.stringContaining('callerOfTheStatement') })
})
