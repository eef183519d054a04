import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'

export const migrationsFolder = join(import.meta.dirname, '../../migrations')

// Any constant will do, as long as every node takes the same one.
const migrationLock = 5_057_001

type Migration = { name: string; sql: string; checksum: string }

/** Applies what is missing, one transaction each, and returns the names of what it applied. */
export async function migrate(pool: pg.Pool, folder = migrationsFolder): Promise<string[]> {
  const migrations = await readMigrations(folder)
  const client = await pool.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [migrationLock])
    await client.query(`create table if not exists migrations (
      name text constraint migrations_pkey primary key,
      checksum text not null,
      applied_at timestamptz not null default now())`)
    const { rows } = await client.query<{ name: string; checksum: string }>(
      'select name, checksum from migrations order by name',
    )
    refuseForeignHistory(rows, migrations)
    const pending = migrations.slice(rows.length)
    for (const migration of pending) await apply(client, migration)
    return pending.map(({ name }) => name)
  } finally {
    // The lock belongs to the session: closing it is the one release that cannot fail.
    client.release(true)
  }
}

export class MigrationError extends Error {
  override name = 'MigrationError'
}

async function readMigrations(folder: string): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(join(folder, name), 'utf8')
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') }
    }),
  )
}

function refuseForeignHistory(applied: { name: string; checksum: string }[], known: Migration[]): void {
  applied.forEach(({ name, checksum }, index) => {
    const migration = known[index]
    if (migration?.name !== name)
      throw new MigrationError(
        `The database has the migration ${name}, which this version of Muster does not know. ` +
          'It was probably used by a newer version: start that one, or restore a backup.',
      )
    if (migration.checksum !== checksum)
      throw new MigrationError(
        `The migration ${name} was changed after it had been applied to this database. Put the file back.`,
      )
  })
}

async function apply(client: pg.PoolClient, { name, sql, checksum }: Migration): Promise<void> {
  await client.query('begin')
  try {
    await client.query('set local statement_timeout = 0')
    await client.query(sql)
    await client.query('insert into migrations (name, checksum) values ($1, $2)', [name, checksum])
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw new MigrationError(`The migration ${name} failed: ${(error as Error).message}`, { cause: error })
  }
}
