import { createHash, randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import type pg from 'pg'
import { afterAll, describe, expect, inject, test, vi } from 'vitest'
import { connect } from '../../src/database/connect.ts'
import { migrate } from '../../src/database/migrations/migrate.ts'
import { readReplacedHistory } from '../../src/database/migrations/replaced-history.ts'
import { payloadStatements } from '../events/payload-statements.ts'
import { onDatabase } from '../world/template-database.ts'
import { copyOfTemplate } from '../world/test-database.ts'
import { backupOf, databaseEnvironment, startRestore, waitForSuccess } from './backup/commands.ts'
import { emptyDatabase, migratedDatabase } from './backup/databases.ts'
import { fingerprint, removeRestoreEntry } from './backup/fingerprint.ts'
import { readSchemaCatalog } from './schema-catalog.ts'

vi.setConfig({ testTimeout: 120_000 })

type ReplacedFile = { name: string; sql: string }

/** The migrations of the last commit before the baseline, as they were. */
const replaced = JSON.parse(
  brotliDecompressSync(await readFile(join(import.meta.dirname, 'replaced-migrations.json.br'))).toString(),
) as ReplacedFile[]

const checksum = (text: string) => createHash('sha256').update(text).digest('hex')

/** What the last commit before the baseline made of an empty database. */
async function applyReplaced(pool: pg.Pool, files = replaced): Promise<void> {
  await pool.query(`create table migrations (
    name text constraint migrations_pkey primary key,
    checksum text not null,
    applied_at timestamptz not null default now())`)
  for (const { name, sql } of files) {
    await pool.query(sql)
    await pool.query('insert into migrations (name, checksum) values ($1, $2)', [name, checksum(sql)])
  }
}

/** Statements about tables that the commit did not have yet, and the last ones, which would leave nothing to look at. */
const laterTitles = [
  'patch policies',
  'rings of patch policies',
  'a patch policy is deleted',
  'patch policies are assigned',
  'computers have a vulnerability that is known to be exploited',
  'members are kept converged',
  'what people chose',
  'deadlines of rollouts',
  'users choose',
  'everything is deleted',
]

/** Creates a database of the last commit before the baseline, with rows in most of its tables. The tests copy it. */
async function createUsedDatabase(): Promise<string> {
  const name = `muster_replaced_${randomBytes(6).toString('hex')}`
  const maintenance = connect(inject('postgres'), { size: 1 })
  await maintenance.pool.query(`create database ${name}`)
  afterAll(async () => {
    await maintenance.pool.query(`drop database ${name} with (force)`)
    await maintenance.close()
  })
  const { pool, close } = connect(onDatabase(inject('postgres'), name))
  await applyReplaced(pool)
  for (const { title, statement } of payloadStatements()) if (!laterTitles.includes(title)) await pool.query(statement)
  await close()
  return name
}

const used = await createUsedDatabase()
const fresh = await copyOfTemplate()
const freshCatalog = await readSchemaCatalog(fresh.pool)

async function historyOf({ pool }: { pool: pg.Pool }) {
  const { rows } = await pool.query<{ name: string; checksum: string }>(
    'select name, checksum from migrations order by name',
  )
  return rows
}

/** The migrations since the baseline, which every older database gets, too. */
const later = (await historyOf(fresh)).map(({ name }) => name).filter((name) => name > '0025_webhooks.sql')

async function columnsOf(pool: pg.Pool): Promise<Record<string, string[]>> {
  const { rows } = await pool.query<{ name: string; columns: string[] }>(`
    select format('%I.%I', table_schema, table_name) as name, array_agg(column_name::text order by column_name) as columns
    from information_schema.columns where table_schema = 'public' group by 1`)
  return Object.fromEntries(rows.map(({ name, columns }) => [name, columns]))
}

/** Every computer supports PXE until something else is known (0033). Until then, the column had no effect. */
const changedColumns = ['public.computers.pxe_support']

/** Not part of a backup. Each event has its trace since 0050. */
const eventLog = ['public.events', 'public.event_outbox']

/** The tables of that version to which later migrations add columns or take some from, with the columns that both have. */
async function commonColumns(): Promise<Record<string, string[]>> {
  const older = await copyOfTemplate(used)
  const now = await columnsOf(fresh.pool)
  const changed = Object.entries(await columnsOf(older.pool)).filter(
    ([table, columns]) => table in now && !eventLog.includes(table) && columns.join() !== now[table]?.join(),
  )
  return Object.fromEntries(
    changed.map(([table, columns]) => [
      table,
      columns.filter((column) => now[table]?.includes(column) && !changedColumns.includes(`${table}.${column}`)),
    ]),
  )
}

const changedTables = await commonColumns()

/** Later migrations add queues (0043). */
const grownTables = ['"public"."migrations"', '"pgboss"."queue"']

/** What that version has stored, without the history of migrations. */
async function storedIn(pool: pg.Pool, kept?: Record<string, unknown>) {
  const changed = Object.keys(changedTables).map((table) => table.replace(/(\w+)/g, '"$1"'))
  const whole = Object.entries(await fingerprint(pool)).filter(
    ([table]) => ![...changed, ...grownTables].includes(table) && (!kept || table in kept),
  )
  const parts = Object.entries(changedTables).map(async ([table, columns]) => {
    const { rows } = await pool.query(
      `select ${columns.map((column) => `"${column}"`).join()} from ${table} order by 1`,
    )
    return [table, rows] as const
  })
  return Object.fromEntries([...whole, ...(await Promise.all(parts))])
}

describe('a database of the last version before the baseline', () => {
  test('the replaced history is the one that this version continues', async () => {
    const known = await readReplacedHistory()

    expect(replaced.map(({ name, sql }) => ({ name, checksum: checksum(sql) }))).toEqual(known?.migrations)
  })

  test('it keeps all rows and has the same schema and history as a new database', async () => {
    const database = await copyOfTemplate(used)
    const before = await storedIn(database.pool)
    expect(before['public.work']).not.toEqual([])

    expect(await migrate(database.pool)).toEqual(later)

    expect(await storedIn(database.pool, before)).toEqual(before)
    expect(await historyOf(database)).toEqual(await historyOf(fresh))
    expect(await readSchemaCatalog(database.pool)).toEqual(freshCatalog)
    expect(await migrate(database.pool)).toEqual([])
  })

  test('one of the version before gets the last replaced migrations first', async () => {
    const { last = [] } = (await readReplacedHistory()) ?? {}
    const older = await copyOfTemplate('template0')
    await applyReplaced(older.pool, replaced.slice(0, -last.length))

    expect(await migrate(older.pool)).toEqual(later)

    expect(last.map(({ name, sql }) => ({ name, sql }))).toEqual(replaced.slice(-last.length))
    expect(await historyOf(older)).toEqual(await historyOf(fresh))
    expect(await readSchemaCatalog(older.pool)).toEqual(freshCatalog)
  })

  test('an older one is refused with the commit that has to be started first, and nothing changes', async () => {
    const older = await copyOfTemplate(used)
    await older.pool.query('delete from migrations where name >= $1', ['0078'])
    const [catalog, history] = [await readSchemaCatalog(older.pool), await historyOf(older)]

    await expect(migrate(older.pool)).rejects.toThrow(
      `Start the commit ${(await readReplacedHistory())?.commit} first on this database`,
    )

    expect(await readSchemaCatalog(older.pool)).toEqual(catalog)
    expect(await historyOf(older)).toEqual(history)
  })

  test('one with a changed migration is refused', async () => {
    const changed = await copyOfTemplate(used)
    await changed.pool.query(`update migrations set checksum = 'x' where name = $1`, [replaced.at(-1)?.name])

    await expect(migrate(changed.pool)).rejects.toThrow('but not those up to')
  })
})

describe('a backup of the last version before the baseline', () => {
  test('it is restored to an empty database and in place of an installation', async () => {
    const source = await copyOfTemplate(used)
    const file = await backupOf(source)
    const before = await storedIn(source.pool)

    for (const target of [await emptyDatabase(), source]) {
      await waitForSuccess(startRestore(file, databaseEnvironment(target), ['--force']))

      expect(await historyOf(target)).toEqual(await historyOf(fresh))
      expect(await readSchemaCatalog(target.pool)).toEqual(freshCatalog)
      expect(await migrate(target.pool)).toEqual([])
      await removeRestoreEntry(target.pool)
      expect(await storedIn(target.pool, before)).toEqual(before)
    }
  })

  test('an older one is refused with the commit that can restore it, and nothing changes', async () => {
    const older = await copyOfTemplate(used)
    await older.pool.query('delete from migrations where name = $1', [replaced.at(-1)?.name])
    const file = await backupOf(older)
    const target = await migratedDatabase()
    const before = await fingerprint(target.pool)

    const { code, output } = await startRestore(file, databaseEnvironment(target), ['--force']).ended

    expect(code).toBe(1)
    expect(output).toContain(
      `Start the commit ${(await readReplacedHistory())?.commit} first, restore the backup there`,
    )
    expect(await fingerprint(target.pool)).toEqual(before)
  })
})

test('the comparison of schemas notices a change of any kind of object', async () => {
  const changes = {
    column: 'alter table tags alter column description set default 1',
    'column order': 'alter table tags drop column description, add column description text',
    constraint: 'alter table tags drop constraint tags_designation_check',
    index: 'drop index computers_uuid_idx; create index computers_uuid_idx on computers (uuid desc)',
    function: `create or replace function lock_group_trees() returns void language sql volatile as $$ select 1 $$`,
    trigger: 'drop trigger groups_place_new on groups',
    view: 'create or replace view permanent_groups as select id, tree, parent_id, kind, name, path, description from groups',
    comment: `comment on table tags is 'x'`,
    right: 'grant select on tags to public',
    storage: 'alter table work set (fillfactor = 50)',
    sequence: 'alter table computers alter column id set cache 20',
    schema: 'create schema another',
  }
  const { pool } = await copyOfTemplate()
  const before = await readSchemaCatalog(pool)

  for (const [kind, change] of Object.entries(changes)) {
    const client = await pool.connect()
    await client.query(`begin; ${change}`)
    const after = await readSchemaCatalog(client)
    await client.query('rollback')
    client.release()
    expect(after, kind).not.toEqual(before)
  }
})
