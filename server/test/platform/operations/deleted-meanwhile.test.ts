import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { executePrepared } from '../../../src/database/prepared-statements.ts'
import { addUpTaskChanges } from '../../../src/features/deployments/jobs/add-up-task-changes.ts'
import { lockGroupTrees } from '../../../src/features/groups/groups.ts'
import { operations } from '../../../src/features/index.ts'
import { requiredRoles } from '../../../src/platform/authentication/require-access.ts'
import type { AnyOperation } from '../../../src/platform/operation.ts'
import { isRole, type Role } from '../../../src/platform/roles.ts'
import { deploymentsIn } from '../../deployments/deployment-world.ts'
import { openWorld } from '../../world/open-world.ts'
import type { AnyInput } from '../../world/scenario.ts'
import { watchStatements } from '../../world/statements.ts'
import { scenarioOf } from './scenarios.ts'

const world = await openWorld()
const { as, db } = world
const deployments = deploymentsIn(db, world.given)

/** The tables whose rows have an id, but for those that the request needs to be authenticated and recorded. */
const { rows: tables } = await sql<{ name: string; isUuid: boolean }>`
  select tables.tablename as name, columns.data_type = 'uuid' as "isUuid"
  from pg_tables tables join information_schema.columns on table_schema = schemaname and table_name = tablename
  where schemaname = 'public' and column_name = 'id' and data_type in ('integer', 'bigint', 'uuid')
    and tablename !~ 'principal|key|audit'`.execute(db)

// Each table counts from a number of its own so that an id of an address names one row only.
await sql`
  select setval(pg_get_serial_sequence(name, 'id'), 1000000 * number)
  from unnest(${tables.filter(({ isUuid }) => !isUuid).map(({ name }) => name)}::text[]) with ordinality as t (name, number)`.execute(
  db,
)

const isUuid = (id: unknown) => /^[0-9a-f-]{36}$/.test(String(id))
const isNumber = (id: unknown) => /^\d{1,9}$/.test(String(id))

/** Deletes the rows that the address of a request names, as far as nothing prevents another request from doing so. */
async function deleteNamed({ params = {} }: AnyInput): Promise<void> {
  for (const id of Object.values(params)) for (const table of await listTablesWith(id)) await deleteRow(table, id)
}

async function listTablesWith(id: unknown): Promise<string[]> {
  const possible = tables.filter((table) => (table.isUuid ? isUuid(id) : isNumber(id)))
  if (possible.length === 0) return []
  const found = possible.map(
    ({ name }) => sql`select ${name}::text as name where exists (select from ${sql.table(name)} where id = ${id})`,
  )
  // Prepared, because planning a statement with all these tables takes longer than running it.
  const { rows } = await executePrepared(db, sql<{ name: string }>`${sql.join(found, sql` union all `)}`)
  return rows.map(({ name }) => name)
}

async function deleteRow(table: string, id: unknown): Promise<void> {
  try {
    await db.transaction().execute(async (tx) => {
      await sql`set local lock_timeout = '20ms'`.execute(tx)
      await lockGroupTrees(tx)
      await sql`delete from ${sql.table(table)} where id = ${id}`.execute(tx)
    })
  } catch {
    // The request has locked it, or other rows need it.
  }
}

/** Calls the operation, and deletes what it names before it sends its nth statement. */
async function callWithDeletion(operation: AnyOperation & { role: Role }, input: AnyInput, nth: number) {
  const { result, sent } = await watchStatements(
    () => as(...(requiredRoles(operation) as Role[])).call(operation, input),
    (sent) => (sent.length === nth ? deleteNamed(input) : undefined),
  )
  return { status: result.status, isReached: sent.length >= nth }
}

/** After the check that it exists, in the middle of most requests, and late in long ones. All others were tried once. */
const positions = [3, 5, 11]

const naming = operations.filter(
  (operation): operation is AnyOperation & { role: Role } => operation.path.includes(':') && isRole(operation.role),
)

test.each(naming)('$id answers as declared if what it names is deleted meanwhile', async (operation) => {
  for (const nth of positions) {
    const input = await scenarioOf(operation)(world)
    const { status, isReached } = await callWithDeletion(operation, input, nth)
    expect(status).toBeLessThan(500)
    if (!isReached) return
  }
})

/** A computer that appears in as many lists as possible, also with work whose counts are kept. */
async function computerWithWork() {
  const one = await world.given.package()
  const { computer } = await deployments.assigned(one)
  const task = await deployments.task({ kind: 'Reinstall', computer_id: computer.id })
  await deployments.work(computer, one, { task_id: task.id })
  await addUpTaskChanges(db)
  return computer
}

const listing = operations.filter(
  (operation): operation is AnyOperation & { role: Role } =>
    operation.method === 'GET' && !operation.path.includes(':') && isRole(operation.role),
)

test.each(listing)('$id answers as declared if a computer is deleted before its last statement', async (operation) => {
  const input = await scenarioOf(operation)(world)
  const call = () => as(...(requiredRoles(operation) as Role[])).call(operation, input)
  const computer = await computerWithWork()
  const count = (await watchStatements(call)).sent.length

  const { result } = await watchStatements(call, (sent) =>
    sent.length === count ? deleteRow('computers', computer.id) : undefined,
  )

  expect(result.status).toBeLessThan(500)
})
