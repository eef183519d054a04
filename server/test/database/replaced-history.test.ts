import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import type pg from 'pg'
import { describe, expect, test, vi } from 'vitest'
import { listAppliedMigrations, migrate } from '../../src/database/migrations/migrate.ts'
import { readReplacedHistory } from '../../src/database/migrations/replaced-history.ts'
import { payloadStatements } from '../events/payload-statements.ts'
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

/** A database of the last commit before the baseline, with rows in most of its tables. */
async function openUsedDatabase() {
  const database = await emptyDatabase()
  await applyReplaced(database.pool)
  for (const { statement } of payloadStatements()) {
    if (statement.startsWith('delete from computers;')) break
    await database.pool.query(statement)
  }
  return database
}

const historyOf = async (pool: pg.Pool) => await listAppliedMigrations(await pool.connect().then(releaseLater))

function releaseLater(client: pg.PoolClient): pg.PoolClient {
  queueMicrotask(() => client.release())
  return client
}

const withoutHistory = ({ '"public"."migrations"': _, ...tables }: Record<string, string>) => tables

describe('a database of the last version before the baseline', () => {
  test('the replaced history is the one that this version continues', async () => {
    const known = await readReplacedHistory()

    expect(replaced.map(({ name, sql }) => ({ name, checksum: checksum(sql) }))).toEqual(known?.migrations)
  })

  test('it keeps all rows and has the same schema and history as a new database', async () => {
    const [used, fresh] = [await openUsedDatabase(), await migratedDatabase()]
    const before = withoutHistory(await fingerprint(used.pool))

    expect(await migrate(used.pool)).toEqual([])

    const after: Record<string, string> = await fingerprint(used.pool)
    for (const [table, rows] of Object.entries(before)) expect(after[table], table).toBe(rows)
    expect(await historyOf(used.pool)).toEqual(await historyOf(fresh.pool))
    expect(await readSchemaCatalog(used.pool)).toEqual(await readSchemaCatalog(fresh.pool))
    expect(await migrate(used.pool)).toEqual([])
  })

  test('an older one is refused with the commit that has to be started first, and nothing changes', async () => {
    const older = await emptyDatabase()
    await applyReplaced(older.pool, replaced.slice(0, -1))
    const [catalog, history] = [await readSchemaCatalog(older.pool), await historyOf(older.pool)]

    await expect(migrate(older.pool)).rejects.toThrow(
      `Start the commit ${(await readReplacedHistory())?.commit} first on this database`,
    )

    expect(await readSchemaCatalog(older.pool)).toEqual(catalog)
    expect(await historyOf(older.pool)).toEqual(history)
  })

  test('one with a changed migration is refused', async () => {
    const changed = await emptyDatabase()
    await applyReplaced(changed.pool)
    await changed.pool.query(`update migrations set checksum = 'x' where name = $1`, [replaced.at(-1)?.name])

    await expect(migrate(changed.pool)).rejects.toThrow('but not exactly those up to')
  })
})

describe('a backup of the last version before the baseline', () => {
  test('it is restored to an empty database and in place of an installation', async () => {
    const used = await openUsedDatabase()
    const file = await backupOf(used)
    const before = withoutHistory(await fingerprint(used.pool))

    for (const target of [await emptyDatabase(), await migratedDatabase(), await openUsedDatabase()]) {
      await waitForSuccess(startRestore(file, databaseEnvironment(target), ['--force']))
      const fresh = await migratedDatabase()

      expect(await historyOf(target.pool)).toEqual(await historyOf(fresh.pool))
      expect(await readSchemaCatalog(target.pool)).toEqual(await readSchemaCatalog(fresh.pool))
      expect(await migrate(target.pool)).toEqual([])
      await removeRestoreEntry(target.pool)
      expect(withoutHistory(await fingerprint(target.pool))).toEqual(before)
    }
  })

  test('an older one is refused with the commit that can restore it, and nothing changes', async () => {
    const older = await emptyDatabase()
    await applyReplaced(older.pool, replaced.slice(0, -1))
    const file = await backupOf(older)
    const target = await migratedDatabase()
    const before = await fingerprint(target.pool)

    const { code, output } = await startRestore(file, databaseEnvironment(target), ['--force']).ended

    expect(code).toBe(1)
    expect(output).toContain(`Start the commit ${(await readReplacedHistory())?.commit} first, restore the backup there`)
    expect(await fingerprint(target.pool)).toEqual(before)
  })
})

test('the comparison of schemas notices a change of any kind of object', async () => {
  const changes = {
    column: 'alter table tags alter column description set default 1',
    'column order': 'alter table tags drop column description, add column description text',
    constraint: 'alter table tags drop constraint tags_designation_check',
    index: 'drop index computers_uuid_idx; create index computers_uuid_idx on computers (uuid desc)',
    function: `create or replace function hold_group_trees() returns void language sql volatile as $$ select 1 $$`,
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
