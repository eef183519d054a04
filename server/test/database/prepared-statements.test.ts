import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { prepared } from '../../src/database/prepared-statements.ts'
import { openWorld } from '../world/open-world.ts'

const { db, given } = await openWorld()

const byId = prepared((on, id: number) => on.selectFrom('computers').select('name').where('id', '=', id).compile())

test('a prepared query is planned once for each connection, and answers by its values', async () => {
  const computers = [await given.computer(), await given.computer(), await given.computer()]

  await db.connection().execute(async (connection) => {
    for (const { id, name } of [...computers, ...computers, ...computers])
      expect(await byId(connection, id)).toEqual([{ name }])

    const { rows } = await sql`
      select generic_plans + custom_plans as runs from pg_prepared_statements
      where statement like 'select "name" from "computers"%'`.execute(connection)
    expect(rows).toEqual([{ runs: 9 }])
  })
})

test('a prepared query follows a change of its table, also within a transaction', async () => {
  const { id, name } = await given.computer()

  await db.transaction().execute(async (transaction) => {
    await byId(transaction, id)
    await sql`create index computers_domain_name_idx on computers (domain, name)`.execute(transaction)
    await sql`update computers set name = 'changed' where id = ${id}`.execute(transaction)
    expect(await byId(transaction, id)).toEqual([{ name: 'changed' }])
  })

  expect(name).not.toBe('changed')
})

test('other queries have no name', async () => {
  await db.connection().execute(async (connection) => {
    await connection.selectFrom('computers').select('domain').execute()

    const { rows } = await sql`
      select from pg_prepared_statements where statement like 'select "domain" from "computers"%'`.execute(connection)
    expect(rows).toEqual([])
  })
})
