import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { advisoryLocks } from '../../src/database/advisory-locks.ts'
import { connect } from '../../src/database/connect.ts'
import { migrate, readMigrations } from '../../src/database/migrations/migrate.ts'
import { migrationsFolder } from '../../src/installation/files.ts'
import { generateTableTypes, tableTypesFile } from '../../tools/table-types.ts'
import { copyOfTemplate } from '../world/test-database.ts'
import { until } from './embedded-postgres/muster.ts'

// A start waits for seconds before it says what for.
vi.setConfig({ testTimeout: 60_000 })

const migrated = await copyOfTemplate()
const folder = await mkdtemp(join(tmpdir(), 'muster-migrations-'))
afterAll(() => rm(folder, { recursive: true }))

const listTables = async ({ db } = migrated) =>
  (
    await sql<{ name: string }>`select tablename as name from pg_tables where schemaname = 'public' order by 1`.execute(
      db,
    )
  ).rows.map(({ name }) => name)

test('the generated table types match the database', async () => {
  expect(await generateTableTypes(migrated.db)).toBe(await readFile(tableTypesFile, 'utf8'))
})

test('several nodes that start at once on an empty database apply every migration exactly once', async () => {
  const empty = await copyOfTemplate('template0')
  const nodes = [1, 2, 3, 4].map(() => connect(empty.connection))

  const applied = await Promise.all(nodes.map(({ pool }) => migrate(pool)))

  expect(applied.filter((names) => names.length > 0)).toHaveLength(1)
  expect(await listTables(empty)).toEqual(await listTables())
  await Promise.all(nodes.map((node) => node.close()))
})

test('migration numbers have no duplicates and no gaps', async () => {
  const numbers = (await readMigrations()).map(({ name }) => Number(name.slice(0, 4)))

  expect(numbers.length).toBeGreaterThanOrEqual(25)
  expect(numbers).toEqual(numbers.map((_, index) => index + 1))
})

test('a migration never changes and never disappears once its checksum is in the list of released ones', async () => {
  const list = await readFile(join(migrationsFolder, 'released.sha256'), 'utf8')
  const found = (await readMigrations()).map(({ name, checksum }) => `${checksum}  ${name}\n`)

  // A new migration gets its line with: cd server/migrations && sha256sum NNNN_topic.sql >> released.sha256
  expect(found.join('')).toBe(list)
})

describe('a refused migration', () => {
  beforeEach(async () => {
    await rm(folder, { recursive: true })
    await cp(migrationsFolder, folder, { recursive: true })
  })

  test('a migration that was changed after it had been applied is refused', async () => {
    await writeFile(join(folder, '0002_principals.sql'), '-- other')

    await expect(migrate(migrated.pool, { folder })).rejects.toThrow('0002_principals.sql was changed')
  })

  test('a database that a newer version has migrated is refused', async () => {
    await rm(join(folder, '0003_audit.sql'))

    await expect(migrate(migrated.pool, { folder })).rejects.toThrow(
      '0003_audit.sql, which this version of Muster does not know',
    )
  })

  test('a migration that fails is rolled back as a whole, together with those that were pending before it', async () => {
    await writeFile(join(folder, '9998_complete.sql'), 'create table complete (id integer primary key)')
    await writeFile(
      join(folder, '9999_broken.sql'),
      'create table half (id integer primary key); select no_such_function();',
    )

    await expect(migrate(migrated.pool, { folder })).rejects.toThrow('9999_broken.sql failed')
    expect(await listTables()).not.toContain('half')
    expect(await listTables()).not.toContain('complete')
  })
})

describe('a start that has to wait', () => {
  const printed: string[] = []
  const warn = (message: string) => void printed.push(message)
  const untilPrinted = (text: string) => until(() => printed.find((message) => message.includes(text)), 30_000)

  async function openSession({ connection } = migrated) {
    const { pool, close } = connect(connection, { size: 1 })
    const client = await pool.connect()
    onTestFinished(async () => {
      client.release(true)
      await close()
    })
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    return { query: (text: string) => client.query(text), pid: rows[0]?.pid }
  }

  test('a start that waits for the migrations of another node names its session, and goes on when they are applied', async () => {
    const other = await openSession()
    await other.query(`begin; select pg_advisory_xact_lock(${advisoryLocks.migrations})`)

    const starting = migrate(migrated.pool, { warn })
    const message = await untilPrinted(`process id ${other.pid} `)
    await other.query('commit')

    expect(message).toContain('Waiting until another node has applied its migrations')
    expect(message).not.toContain('pg_terminate_backend')
    expect(await starting).toEqual([])
  })

  test('a start that waits for a lock that was left behind says how to release it', async () => {
    const other = await openSession()
    await other.query(`select pg_advisory_lock(${advisoryLocks.migrations})`)

    const starting = migrate(migrated.pool, { warn })
    await untilPrinted(`select pg_terminate_backend(${other.pid})`)
    await migrated.pool.query(`select pg_terminate_backend(${other.pid})`)

    expect(await starting).toEqual([])
  })

  test('a migration of a table that others use says so, lets their requests through and is applied afterwards', async () => {
    const own = await copyOfTemplate()
    const reader = await openSession(own)
    await rm(folder, { recursive: true })
    await cp(migrationsFolder, folder, { recursive: true })
    await writeFile(join(folder, '9999_alter.sql'), 'alter table tags add column colour text')
    await reader.query('begin; select from tags')

    const starting = migrate(own.pool, { folder, warn })
    await untilPrinted('The migration 9999_alter.sql failed: canceling statement due to lock timeout. Others use')
    const { rowCount } = await own.pool.query('select from tags limit 0')
    await reader.query('commit')

    expect(rowCount).toBe(0)
    expect(await starting).toEqual(['9999_alter.sql'])
  })
})

test('every table has a primary key and every foreign key has an index', async () => {
  const { rows } = await sql<{ fault: string }>`
    select 'no primary key: ' || c.relname as fault from pg_class c
    where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
      and not exists (select from pg_constraint where conrelid = c.oid and contype = 'p')
    union all
    select 'no index: ' || f.conname from pg_constraint f
    where f.contype = 'f' and f.connamespace = 'public'::regnamespace
      and not exists (select from pg_index i where i.indrelid = f.conrelid
        and (i.indkey::smallint[])[0:0] = f.conkey[1:1])`.execute(migrated.db)

  expect(rows).toEqual([])
})

test('every index that serves neither uniqueness nor a foreign key names the query that it serves', async () => {
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_index i join pg_class c on c.oid = i.indexrelid
    where c.relnamespace = 'public'::regnamespace and not i.indisunique and not c.relispartition
      and not exists (select from pg_constraint f where f.contype = 'f' and f.conrelid = i.indrelid
        and i.indkey[0] = any (f.conkey))
    order by 1`.execute(migrated.db)
  const paragraphs = (await readMigrations()).flatMap((migration) => migration.sql.split(/\n{2,}/))
  const isExplained = (name: string) =>
    paragraphs.some((paragraph) => paragraph.startsWith('-- ') && paragraph.includes(`\ncreate index ${name} on `))

  expect(rows.length).toBeGreaterThan(50)
  // These follow the table whose names or ids they look up, in migrations that do not change any more.
  expect(rows.map(({ name }) => name).filter((name) => !isExplained(name))).toEqual([
    'package_conflicts_name_idx',
    'package_supersedes_name_idx',
    'rollouts_upgrade_id_idx',
    'wake_connections_node_id_idx',
  ])
})

test('every table has a comment that says what a row is', async () => {
  const sources = (await readMigrations()).map((migration) => migration.sql)
  const created = sources.flatMap((text) =>
    [...text.matchAll(/(?<=(^.*)\n)create (?:unlogged )?table (\w+)/gm)].map(([, before = '', name = '']) => ({
      before,
      name,
    })),
  )

  expect(created.length).toBeGreaterThan(100)
  expect(created.filter(({ before }) => !before.startsWith('--')).map(({ name }) => name)).toEqual([])
})
