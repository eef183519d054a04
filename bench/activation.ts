import { Kysely, PostgresDialect, sql } from 'kysely'
import type pg from 'pg'
import { pino } from 'pino'
import type { Database } from '../server/src/database/connect.ts'
import type { DB } from '../server/src/database/tables.ts'
import { activateGroup } from '../server/src/features/deployments/api/group-activation/activate-group.ts'
import { makeSlices } from '../server/src/features/deployments/jobs/make-slices.ts'
import { growFleet } from './fleet.ts'
import { withService } from './service.ts'
import { reportTarget } from './target.ts'

const computers = Number(process.env.MUSTER_BENCH_COMPUTERS ?? 100_000)
const packages = 20
const target = 0.3
const maxAnswerSeconds = 2

/** From how many work items on an activation is made in slices: never, and always. */
export const atOnce = 0
const sliced = 1

/** The tables that activation writes to. */
const writtenTables = ['activations', 'tasks', 'work', 'deployments', 'distribution_events'] as const

/**
 * Compares the activation of a whole tree with 20 packages to a plain copy of the same rows into the same tables: in one
 * transaction, as for small groups, and in slices, as for large ones.
 */
export async function benchActivation(): Promise<void> {
  await withService(async ({ database: { db, pool } }) => {
    // In steps so that each statement stays within the statement timeout.
    for (const part of [0.25, 0.5, 0.75, 1]) await growFleet(db, computers * part)
    await assignPackages(db)
    const root = await getRoot(db)
    const smallGroup = await findGroupOfSize(db, 10)
    const statements = { few: await countActivationStatements(pool, smallGroup, atOnce), all: 0 }
    await emptyTables(db)
    const activation = await measureMilliseconds(async () => {
      statements.all = await countActivationStatements(pool, root, atOnce)
    })
    await saveRows(db)
    await emptyTables(db)
    const copy = await measureMilliseconds(() => copyRows(db))
    await emptyTables(db)
    const answer = await measureMilliseconds(async () => {
      await countActivationStatements(pool, root, sliced)
    })
    const slices = await measureMilliseconds(() => makeAllSlices(db))
    await report(db, { activation, copy, answer, slices }, statements)
  })
}

/** Makes slices until none is left, as the periodic task does, without the second between its runs. */
async function makeAllSlices(db: Database): Promise<void> {
  const task = makeSlices({ db, logger: pino({ level: 'error' }), isBusy: () => false })
  await task.run(new AbortController().signal)
}

/** Assigns eleven packages to the root and three to each level below. Every computer gets all 20. */
export async function assignPackages(db: Database): Promise<void> {
  await sql`
    insert into packages (name, package_name, version, kind, is_operational)
    select 'Software ' || n, 'Software ' || n, '1.0', 'Software', true from generate_series(1, ${packages}::integer) n`.execute(
    db,
  )
  await sql`
    insert into group_packages (group_id, package_id)
    select groups.id, numbered.id
    from groups join (select id, row_number() over (order by id) as n from packages) as numbered
      on groups.depth = greatest(0, (numbered.n - 9) / 3)
    where groups.tree = 'ConfigurationGroups'`.execute(db)
  await sql`
    insert into distribution_options (group_id, dist_commands, schedule, revoke_count)
    select id, 3, case depth when 1 then 'CRON=0 22 * * *;TZ=Europe/Berlin;DURATION=180' else '' end, 3 from groups
    where tree = 'ConfigurationGroups' and depth < 2`.execute(db)
  await sql`vacuum analyze`.execute(db)
}

export async function getRoot(db: Database): Promise<string> {
  const root = sql<boolean>`tree = 'ConfigurationGroups' and parent_id is null`
  return (await db.selectFrom('groups').select('id').where(root).executeTakeFirstOrThrow()).id
}

/** Finds the group whose number of members is closest. */
async function findGroupOfSize(db: Database, members: number): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    select group_id as id from group_computers group by group_id order by abs(count(*) - ${members}) limit 1`.execute(
    db,
  )
  return rows[0]?.id ?? ''
}

/**
 * Activates a group in a transaction, as the framework does, in slices from this number of work items on (0: never).
 * Returns the number of statements of the handler.
 */
export async function countActivationStatements(
  pool: pg.Pool,
  id: string,
  slicedActivationItems: number,
): Promise<number> {
  let count = 0
  const counting: Database = new Kysely<DB>({
    dialect: new PostgresDialect({ pool }),
    log: ({ query }) => {
      if (!/^(begin|commit)/.test(query.sql)) count++
    },
  })
  await counting.transaction().execute((db) =>
    activateGroup.handle({
      ...{ params: { id }, body: { software: true }, db, caller: { principal: { name: 'Benchmark' } } },
      services: { configuration: { slicedActivationItems } },
      // The benchmark has no quota.
      countRemovals: () => Promise.resolve(null),
    } as unknown as Parameters<typeof activateGroup.handle>[0]),
  )
  return count
}

/** Runs a transaction whose statements may take longer than those of requests. */
function runLongTransaction(db: Database, work: (transaction: Database) => Promise<void>): Promise<void> {
  return db.transaction().execute(async (transaction) => {
    await sql`set local statement_timeout = '15min'`.execute(transaction)
    await work(transaction)
  })
}

/** Saves what the activation has written, as the source of the plain copy. */
export async function saveRows(db: Database): Promise<void> {
  await runLongTransaction(db, async (transaction) => {
    for (const table of writtenTables)
      await sql`create table ${sql.table(`saved_${table}`)} as select * from ${sql.table(table)}`.execute(transaction)
  })
}

export async function copyRows(db: Database): Promise<void> {
  const { rows } = await sql<{ table: string; columns: string[] }>`
    select table_name as table, array_agg(column_name::text) as columns from information_schema.columns
    where table_schema = 'public' and table_name = any(${[...writtenTables]}::text[]) and is_generated = 'NEVER'
    group by table_name`.execute(db)
  await runLongTransaction(db, async (transaction) => {
    for (const table of writtenTables) {
      const columns = sql.join((rows.find((one) => one.table === table)?.columns ?? []).map((name) => sql.ref(name)))
      await sql`
        insert into ${sql.table(table)} (${columns}) overriding system value
        select ${columns} from ${sql.table(`saved_${table}`)}`.execute(transaction)
    }
  })
}

export async function emptyTables(db: Database): Promise<void> {
  await sql`truncate ${sql.join(writtenTables.map((table) => sql.table(table)))} cascade`.execute(db)
  await sql`checkpoint`.execute(db)
}

export async function measureMilliseconds(work: () => Promise<void>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

export async function countSavedRows(db: Database): Promise<number> {
  let rows = 0
  for (const table of writtenTables) {
    const counted = await sql<{ count: number }>`select count(*) from ${sql.table(`saved_${table}`)}`.execute(db)
    rows += counted.rows[0]?.count ?? 0
  }
  return rows
}

async function report(
  db: Database,
  times: { activation: number; copy: number; answer: number; slices: number },
  statements: { few: number; all: number },
): Promise<void> {
  const rows = await countSavedRows(db)
  const line = (time: number) => ({
    rows,
    seconds: Number((time / 1000).toFixed(1)),
    'rows/s': Math.round((rows / time) * 1000),
  })
  console.table({
    activation: line(times.activation),
    'in slices': line(times.slices),
    'insert … select': line(times.copy),
  })
  for (const [name, time] of [
    ['activation', times.activation],
    ['activation in slices', times.slices],
  ] as const) {
    const ratio = times.copy / time
    reportTarget(
      `${name} of ${computers} computers with ${packages} packages: ${ratio.toFixed(2)} of the rate of a plain copy, target ${target}`,
      ratio >= target,
    )
  }
  reportTarget(
    `answer to an activation in slices: ${(times.answer / 1000).toFixed(2)} s, target ${maxAnswerSeconds} s`,
    times.answer <= maxAnswerSeconds * 1000,
  )
  reportTarget(
    `statements: ${statements.few} for about 10 computers, ${statements.all} for ${computers}, target: equal`,
    statements.few === statements.all,
  )
}
