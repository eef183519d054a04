import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Database } from '../../src/database/connect.ts'
import { executePrepared, preparedStatement } from '../../src/database/prepared-statements.ts'
import { openWorld } from '../world/open-world.ts'
import { skipTime } from '../world/skip-time.ts'

const { db, given } = await openWorld({ hasOwnDatabase: true })

const findNames = preparedStatement((on, id: number) =>
  on.selectFrom('computers').select('name').where('id', '=', id).compile(),
)

/** The names of the prepared statements of the connection whose text begins like this. */
async function preparedNames(connection: Database, text: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from pg_prepared_statements where starts_with(statement, ${text}) order by name`.execute(connection)
  return rows.map(({ name }) => name)
}

test('a prepared statement is planned once per connection and returns the rows of each value', async () => {
  const computers = [await given.computer(), await given.computer(), await given.computer()]

  await db.connection().execute(async (connection) => {
    for (const { id, name } of [...computers, ...computers, ...computers])
      expect(await findNames(connection, id)).toEqual([{ name }])

    const { rows } = await sql`
      select generic_plans + custom_plans as runs from pg_prepared_statements
      where statement like 'select "name" from "computers"%'`.execute(connection)
    expect(rows).toEqual([{ runs: 9 }])
  })
})

test('a query of several variants is planned once per connection and variant', async () => {
  const { id, name } = await given.computer()
  const find = (column: 'name' | 'domain') =>
    sql<Record<string, string>>`select ${sql.ref(column)} from computers as variant where id = ${id}`

  await db.connection().execute(async (connection) => {
    for (let run = 0; run < 3; run++) await executePrepared(connection, find('domain'))
    const { rows } = await executePrepared(connection, find('name'))

    expect(rows).toEqual([{ name }])
    expect(await preparedNames(connection, 'select "domain" from computers as variant')).toHaveLength(1)
    expect(await preparedNames(connection, 'select "name" from computers as variant')).toHaveLength(1)
  })
})

test('a prepared statement follows a change of its table, even within a transaction', async () => {
  const { id, name } = await given.computer()

  await db.transaction().execute(async (transaction) => {
    await findNames(transaction, id)
    await sql`create index computers_domain_name_idx on computers (domain, name)`.execute(transaction)
    await sql`update computers set name = 'changed' where id = ${id}`.execute(transaction)
    expect(await findNames(transaction, id)).toEqual([{ name: 'changed' }])
  })

  expect(name).not.toBe('changed')
})

test('a prepared statement works again after its table was dropped and created again, as a restore does', async () => {
  const listNumbers = preparedStatement((_, minimum: number) =>
    sql<{ number: number }>`select number from numbers where number >= ${minimum}`.compile(db),
  )
  await db.connection().execute(async (connection) => {
    await sql`create temporary table numbers as values (1), (2)`.execute(connection)
    await sql`alter table numbers rename column column1 to number`.execute(connection)
    expect(await listNumbers(connection, 2)).toEqual([{ number: 2 }])

    await sql`drop table numbers`.execute(connection)
    await expect(listNumbers(connection, 2)).rejects.toMatchObject({ code: '42P01' })
    await sql`create temporary table numbers (number integer)`.execute(connection)
    await sql`insert into numbers values (3)`.execute(connection)

    expect(await listNumbers(connection, 2)).toEqual([{ number: 3 }])
  })
})

test('a plan that was made for a small table is replaced after a minute, even if nobody analyses the table', async () => {
  const findWord = preparedStatement((on, id: number) =>
    sql<{ word: string }>`select word from words where id = ${id}`.compile(on),
  )

  await db.connection().execute(async (connection) => {
    await sql`create temporary table words (id integer primary key, word text)`.execute(connection)
    await sql`analyze words`.execute(connection)
    // From the sixth run on, the plan is kept.
    for (let run = 0; run < 8; run++) await findWord(connection, 1)
    const [name = ''] = await preparedNames(connection, 'select word from words')
    const planOf = async () => {
      const { rows } = await sql
        .raw<{ 'QUERY PLAN': string }>(`explain (costs off) execute ${name}(7)`)
        .execute(connection)
      return rows[0]?.['QUERY PLAN']
    }
    await sql`insert into words select n, 'word ' || n from generate_series(1, 10000) n`.execute(connection)
    expect(await planOf()).toBe('Seq Scan on words')

    skipTime(60_000)
    expect(await findWord(connection, 7)).toEqual([{ word: 'word 7' }])

    expect(await planOf()).toBe('Index Scan using words_pkey on words')
  })
})

test('a statement that is first prepared in a transaction remains usable after its rollback', async () => {
  const findDomains = preparedStatement((on, id: number) =>
    on.selectFrom('computers').select('domain').where('id', '=', id).compile(),
  )
  const { id } = await given.computer()

  await db.connection().execute(async (connection) => {
    const rolledBack = connection.transaction().execute(async (transaction) => {
      await findDomains(transaction, id)
      throw new Error('rolled back')
    })
    await expect(rolledBack).rejects.toThrow('rolled back')

    expect(await findDomains(connection, id)).toHaveLength(1)
  })
})

test('two declarations with the same text are prepared under different names', async () => {
  const declare = () =>
    preparedStatement((on, id: number) => on.selectFrom('groups').select('name').where('kind', '=', `${id}`).compile())
  const [first, second] = [declare(), declare()]
  const third = preparedStatement((on, _: number) => on.selectFrom('groups').select('id').limit(1).compile())

  await db.connection().execute(async (connection) => {
    await first(connection, 1)
    await second(connection, 1)
    await third(connection, 1)

    const names = await preparedNames(connection, 'select "name" from "groups"')
    expect(names).toHaveLength(2)
    expect(names[0]).toMatch(/^muster_\d+$/)
  })
})

test('queries that are not declared as prepared statements are not kept by the server', async () => {
  await db.connection().execute(async (connection) => {
    await connection.selectFrom('computers').select(['domain', 'name']).execute()

    expect(await preparedNames(connection, 'select "domain", "name" from "computers"')).toEqual([])
  })
})
