import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import { advisoryLocks } from './advisory-locks.ts'

export const migrationsFolder = join(import.meta.dirname, '../../migrations')

export type AppliedMigration = { name: string; checksum: string }
export type Migration = AppliedMigration & { sql: string }

/** Applies the pending migrations, each in its own transaction, and returns their names. */
export async function migrate(pool: pg.Pool, folder = migrationsFolder): Promise<string[]> {
  const migrations = await readMigrations(folder)
  const client = await pool.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [advisoryLocks.migrations])
    await createMigrationsTable(client)
    const applied = await listAppliedMigrations(client)
    requireKnownHistory(applied, migrations)
    const pending = migrations.slice(applied.length)
    for (const migration of pending) await applyInTransaction(client, migration)
    return pending.map(({ name }) => name)
  } finally {
    // The lock belongs to the session. Closing the session always releases it.
    client.release(true)
  }
}

export class MigrationError extends Error {
  override name = 'MigrationError'
}

export async function readMigrations(folder = migrationsFolder): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(join(folder, name), 'utf8')
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') }
    }),
  )
}

export async function createMigrationsTable(client: pg.ClientBase): Promise<void> {
  await client.query(`create table if not exists migrations (
    name text constraint migrations_pkey primary key,
    checksum text not null,
    applied_at timestamptz not null default now())`)
}

export async function listAppliedMigrations(client: pg.ClientBase): Promise<AppliedMigration[]> {
  const { rows } = await client.query<AppliedMigration>('select name, checksum from migrations order by name')
  return rows
}

/** Throws unless the applied migrations are the first of the known ones, unchanged. */
export function requireKnownHistory(applied: AppliedMigration[], known: Migration[]): void {
  applied.forEach(({ name, checksum }, index) => {
    const migration = known[index]
    if (migration?.name !== name)
      throw new MigrationError(
        `The database contains the migration ${name}, which this version of Muster does not know. ` +
          'A newer version has probably used this database. Start that version, or restore a backup.',
      )
    if (migration.checksum !== checksum)
      throw new MigrationError(
        `The migration ${name} was changed after it had been applied to this database. Restore the original file.`,
      )
  })
}

async function applyInTransaction(client: pg.ClientBase, migration: Migration): Promise<void> {
  await client.query('begin')
  try {
    await client.query('set local statement_timeout = 0')
    await applyMigration(client, migration)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}

/** Runs in the transaction of the caller. */
export async function applyMigration(client: pg.ClientBase, { name, sql, checksum }: Migration): Promise<void> {
  try {
    await client.query(sql)
    await client.query('insert into migrations (name, checksum) values ($1, $2)', [name, checksum])
  } catch (error) {
    throw new MigrationError(`The migration ${name} failed: ${(error as Error).message}`, { cause: error })
  }
}
