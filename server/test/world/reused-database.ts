import { Kysely } from 'kysely'
import pg from 'pg'
import { afterAll, inject } from 'vitest'
import { type Connection, connect, type Lane } from '../../src/database/connect.ts'
import { LaneDialect } from '../../src/database/postgres-driver.ts'
import { reusedPrefix } from './template-database.ts'
import { createCopy, type TestDatabase } from './test-database.ts'

/**
 * The database of the worlds of this worker. Its connections stay open between test files, because they keep what PostgreSQL
 * would otherwise read and plan again for each file.
 */
type ReusedDatabase = { database: TestDatabase; owner: pg.Pool; schema: string; drop(): Promise<void> }

let kept: ReusedDatabase | undefined
let isInUse = false

/** After more rows than this, a new copy is cheaper than tables that are full of deleted rows. */
const maxDeletedRows = 20_000

/**
 * A database as new for the test file, unless the file has one already. After the file it is emptied, or dropped if the file
 * has changed its schema.
 */
export async function reuseDatabase(): Promise<TestDatabase | undefined> {
  if (isInUse) return undefined
  isInUse = true
  kept ??= await createReusedDatabase()
  const { database } = kept
  afterAll(async () => {
    isInUse = false
    if (kept && (await isEmptied(kept))) return
    const unusable = kept
    kept = undefined
    await unusable?.drop()
  })
  return withNewHandles(database)
}

/** The service keeps what it has cached by the handle of its database. */
function withNewHandles(database: TestDatabase): TestDatabase {
  const withNewHandle = <Used extends Lane>(lane: Used): Used => ({
    ...lane,
    db: new Kysely({ dialect: new LaneDialect(lane.connections) }),
  })
  const lanes = Object.entries(database.lanes).map(([name, lane]) => [name, withNewHandle(lane)])
  return { ...withNewHandle(database), lanes: Object.fromEntries(lanes) as TestDatabase['lanes'] }
}

async function createReusedDatabase(): Promise<ReusedDatabase> {
  const { connection, drop } = await createCopy(inject('template'), reusedPrefix)
  await keepPlans(connection)
  const { pool: owner, close } = connect(connection, { size: 1 })
  // The log of events gets a partition with the first event of a day. Making it here keeps the schema as it is.
  await owner.query(`select ensure_event_day((now() at time zone 'utc')::date, 1)`)
  await createReset(owner)
  const database = { ...connect(connection), connection }
  for (const { pool } of [database, ...Object.values(database.lanes)])
    pool.on('connect', (client) => reusedClients.add(client))
  return {
    database,
    owner,
    schema: await schemaFingerprint(owner),
    async drop() {
      await database.close()
      await close()
      await drop()
    },
  }
}

/** Plans for the values of each run would be made again and again. */
async function keepPlans(connection: Connection): Promise<void> {
  const { pool, close } = connect(connection, { size: 1 })
  await pool.query(`do $$ begin
    execute format('alter database %I set plan_cache_mode = force_generic_plan', current_database());
  end $$`)
  await close()
}

async function isEmptied({ owner, schema }: ReusedDatabase): Promise<boolean> {
  if ((await schemaFingerprint(owner)) !== schema) return false
  try {
    const { rows } = await owner.query<{ deleted: number }>('select reused.reset() as deleted')
    return (rows[0]?.deleted ?? 0) <= maxDeletedRows
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === lockNotAvailable) return false
    throw error
  }
}

/** Something that the test file has begun still has its locks. */
const lockNotAvailable = '55P03'

/** Changes with every change of a table, column, trigger, function, constraint or type. */
async function schemaFingerprint(owner: pg.Pool): Promise<string> {
  const catalogs = ['pg_class', 'pg_attribute', 'pg_trigger', 'pg_proc', 'pg_constraint', 'pg_type']
  const sums = catalogs.map((catalog) => `(select (count(*), sum(xmin::text::bigint)) from ${catalog})`)
  const { rows } = await owner.query<{ fingerprint: string }>(`select (${sums.join(', ')})::text as fingerprint`)
  return rows[0]?.fingerprint ?? ''
}

type TableToReset = { name: string; copy: string; columns: string; hasRows: boolean }

/**
 * Creates the function that brings rows and sequences back to those of the template. Deleting keeps the plans of all
 * connections, which truncating would end. Triggers and foreign keys are left out.
 */
async function createReset(owner: pg.Pool): Promise<void> {
  const tables = await listTables(owner)
  const filled = tables.filter(({ hasRows }) => hasRows)
  const { rows: sequences } = await owner.query<{ statement: string }>(`
    select format('perform setval(%L, %s, %L);', format('%I.%I', schemaname, sequencename),
      coalesce(last_value, start_value), last_value is not null) as statement
    from pg_sequences`)
  const emptied = tables.map(
    ({ name }) => `delete from ${name}; get diagnostics count = row_count; deleted := deleted + count;`,
  )
  const refilled = filled.map(
    ({ name, copy, columns }) =>
      `insert into ${name} (${columns}) overriding system value select ${columns} from reused.${copy};`,
  )
  const steps = [...emptied, ...refilled, ...sequences.map(({ statement }) => statement)]
  await owner.query(`
    create schema reused;
    ${filled.map(({ name, copy }) => `create table reused.${copy} as table ${name};`).join('\n')}
    create function reused.reset() returns bigint language plpgsql
      set session_replication_role = replica set lock_timeout = '2s' as $$
    declare
      deleted bigint := 0;
      count bigint;
    begin
      ${steps.join('\n')}
      return deleted;
    end $$`)
}

async function listTables(owner: pg.Pool): Promise<TableToReset[]> {
  const { rows } = await owner.query<Omit<TableToReset, 'hasRows'>>(`
    select format('%I.%I', nspname, relname) as name, format('%I', nspname || '_' || relname) as copy,
      (select string_agg(quote_ident(attname), ', ') from pg_attribute
        where attrelid = pg_class.oid and attnum > 0 and not attisdropped and attgenerated = '') as columns
    from pg_class join pg_namespace on pg_namespace.oid = relnamespace
    where relkind = 'r' and nspname not in ('pg_catalog', 'information_schema')
    order by name`)
  const questions = rows.map(({ name }) => `exists (select from ${name})`)
  const { rows: answers } = await owner.query<{ filled: boolean[] }>(`select array[${questions.join(', ')}] as filled`)
  return rows.map((table, index) => ({ ...table, hasRows: answers[0]?.filled[index] ?? false }))
}

const reusedClients = new WeakSet<pg.ClientBase>()
const namesOfTexts = new Map<string, string>()
const send = pg.Client.prototype.query

/**
 * Prepares each statement with values on the connections that stay open. In production, statements that search are planned
 * for their values each time, which in tests takes longer than to run them.
 */
pg.Client.prototype.query = function (this: pg.Client, ...call: unknown[]) {
  const [statement] = call as [pg.QueryConfig | string]
  if (reusedClients.has(this) && isPlannedEachTime(statement)) {
    const name = namesOfTexts.get(statement.text) ?? `reused_${namesOfTexts.size}`
    namesOfTexts.set(statement.text, name)
    call[0] = { ...statement, name }
  }
  return Reflect.apply(send, this, call)
} as typeof send

function isPlannedEachTime(statement: pg.QueryConfig | string): statement is pg.QueryConfig {
  if (typeof statement === 'string' || 'submit' in statement || statement.name) return false
  return Boolean(statement.values?.length) && !/^\s*explain/i.test(statement.text)
}
