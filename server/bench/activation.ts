import { Kysely, PostgresDialect, sql } from 'kysely'
import type pg from 'pg'
import type { Database } from '../src/database/connect.ts'
import type { DB } from '../src/database/tables.ts'
import { activateGroup } from '../src/features/deployments/api/group-activation/activate-group.ts'
import { growFleet } from './fleet.ts'
import { withService } from './service.ts'

const computers = 100_000
const packages = 20
const bar = 0.3

/** The rows that activation writes, and the tables to which it writes them. */
const written = ['activations', 'tasks', 'work', 'deployments', 'distribution_events'] as const

/** Activation of a whole tree with 20 packages, against a plain copy of the same rows into the same tables. */
export async function benchActivation(): Promise<void> {
  await withService(async ({ database: { db, pool } }) => {
    // In parts, of which each stays within the time that a statement has.
    for (const part of [0.25, 0.5, 0.75, 1]) await growFleet(db, computers * part)
    await assignPackages(db)
    const root = await rootOf(db)
    const few = await groupWithAbout(db, 10)
    const statements = { few: await activated(pool, few), all: 0 }
    await empty(db)
    const activation = await milliseconds(async () => {
      statements.all = await activated(pool, root)
    })
    await keepRows(db)
    await empty(db)
    const copy = await milliseconds(() => copyRows(db))
    await report(db, { activation, copy }, statements)
  })
}

/** Eleven at the root and three on each level below, which each computer gets. */
async function assignPackages(db: Database): Promise<void> {
  await sql`
    insert into packages (name, package_name, version, kind, is_operational)
    select 'Software ' || n, 'Software ' || n, '1.0', 'Software', true from generate_series(1, ${packages}::integer) n`.execute(
    db,
  )
  await sql`
    insert into group_packages (group_id, package_id)
    select place.id, object.id
    from groups place join (select id, row_number() over (order by id) as n from packages) as object
      on place.depth = greatest(0, (object.n - 9) / 3)
    where place.tree = 'ConfigurationGroups'`.execute(db)
  await sql`
    insert into distribution_options (group_id, dist_commands, schedule, revoke_count)
    select id, 3, case depth when 1 then 'CRON=0 22 * * *;TZ=Europe/Berlin;DURATION=180' else '' end, 3 from groups
    where tree = 'ConfigurationGroups' and depth < 2`.execute(db)
  await sql`vacuum analyze`.execute(db)
}

async function rootOf(db: Database): Promise<string> {
  const root = sql<boolean>`tree = 'ConfigurationGroups' and parent_id is null`
  return (await db.selectFrom('groups').select('id').where(root).executeTakeFirstOrThrow()).id
}

async function groupWithAbout(db: Database, members: number): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    select group_id as id from group_computers group by group_id order by abs(count(*) - ${members}) limit 1`.execute(
    db,
  )
  return rows[0]?.id ?? ''
}

/** Activates a group in a transaction, as the frame does, and returns the number of statements of the handler. */
async function activated(pool: pg.Pool, id: string): Promise<number> {
  let count = 0
  const counting: Database = new Kysely<DB>({
    dialect: new PostgresDialect({ pool }),
    log: ({ query }) => {
      if (!/^(begin|commit)/.test(query.sql)) count++
    },
  })
  await counting
    .transaction()
    .execute((db) =>
      activateGroup.handle({ params: { id }, body: { software: true }, db } as unknown as Parameters<
        typeof activateGroup.handle
      >[0]),
    )
  return count
}

/** A transaction whose statements may take longer than those of requests. */
function patiently(db: Database, work: (transaction: Database) => Promise<void>): Promise<void> {
  return db.transaction().execute(async (transaction) => {
    await sql`set local statement_timeout = '15min'`.execute(transaction)
    await work(transaction)
  })
}

async function keepRows(db: Database): Promise<void> {
  await patiently(db, async (transaction) => {
    for (const table of written)
      await sql`create table ${sql.table(`kept_${table}`)} as select * from ${sql.table(table)}`.execute(transaction)
  })
}

async function copyRows(db: Database): Promise<void> {
  const { rows } = await sql<{ table: string; columns: string[] }>`
    select table_name as table, array_agg(column_name::text) as columns from information_schema.columns
    where table_schema = 'public' and table_name = any(${[...written]}::text[]) and is_generated = 'NEVER'
    group by table_name`.execute(db)
  await patiently(db, async (transaction) => {
    for (const table of written) {
      const columns = sql.join((rows.find((one) => one.table === table)?.columns ?? []).map((name) => sql.ref(name)))
      await sql`
        insert into ${sql.table(table)} (${columns}) overriding system value
        select ${columns} from ${sql.table(`kept_${table}`)}`.execute(transaction)
    }
  })
}

async function empty(db: Database): Promise<void> {
  await sql`truncate ${sql.join(written.map((table) => sql.table(table)))} cascade`.execute(db)
  await sql`checkpoint`.execute(db)
}

async function milliseconds(work: () => Promise<void>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

async function report(
  db: Database,
  times: { activation: number; copy: number },
  statements: { few: number; all: number },
): Promise<void> {
  let rows = 0
  for (const table of written) {
    const counted = await sql<{ count: number }>`select count(*) from ${sql.table(`kept_${table}`)}`.execute(db)
    rows += counted.rows[0]?.count ?? 0
  }
  const line = (time: number) => ({
    rows,
    seconds: Number((time / 1000).toFixed(1)),
    'rows/s': Math.round((rows / time) * 1000),
  })
  console.table({ activation: line(times.activation), 'insert … select': line(times.copy) })
  const ratio = times.copy / times.activation
  console.log(
    `activation of ${computers} computers with ${packages} packages: ${ratio.toFixed(2)} of the rate of a plain copy, bar ${bar}: ${ratio >= bar ? 'met' : 'MISSED'}`,
  )
  const isSame = statements.few === statements.all
  console.log(
    `statements: ${statements.few} for about 10 computers, ${statements.all} for ${computers}: ${isSame ? 'met' : 'MISSED'}`,
  )
  if (ratio < bar || !isSame) process.exitCode = 1
}
