import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { migrationsFolder } from '../../installation/files.ts'
import { MigrationError } from './migration-error.ts'
import { beginWithMigrationLock } from './migration-lock.ts'
import { applyRepeatableMigrations } from './repeatable-migrations.ts'
import {
  classifyHistory,
  describeIncompleteHistory,
  missingOf,
  type ReplacedHistory,
  readReplacedHistory,
  writeBaselineHistory,
} from './replaced-history.ts'
import { type AppliedMigration, type Migration, readSqlFiles } from './sql-files.ts'

export type MigrateOptions = {
  folder?: string
  /** Receives what a start waits for. */
  warn?: (message: string) => void
  /** Called in the transaction of the migrations, after the last one. */
  finish?: (client: pg.ClientBase) => Promise<void>
}

const lockTimeoutSeconds = 10
const pauseSeconds = 5

/**
 * Applies the pending migrations in one transaction and returns their names. If one of them fails, the database stays
 * as it was, and the previous version can start again.
 */
export async function migrate(
  pool: pg.Pool,
  { folder = migrationsFolder, warn = () => {}, finish = async () => {} }: MigrateOptions = {},
): Promise<string[]> {
  const known: Known = { migrations: await readMigrations(folder), replaced: await readReplacedHistory(folder) }
  const client = await pool.connect()
  try {
    for (;;) {
      try {
        return await applyPending(client, known, warn, async () => {
          await applyRepeatableMigrations(client, folder)
          await finish(client)
        })
      } catch (error) {
        if (!isTableInUse(error)) throw error
        // Requests that wait for the tables as well run in the pause.
        warn(`${error.message}. Others use the table, perhaps a backup. Trying again in ${pauseSeconds} s.`)
        await sleep(pauseSeconds * 1000)
      }
    }
  } finally {
    // Closing the session rolls back a transaction that is still open.
    client.release(true)
  }
}

type Known = { migrations: Migration[]; replaced: ReplacedHistory | undefined }

async function applyPending(
  client: pg.ClientBase,
  { migrations, replaced }: Known,
  warn: (message: string) => void,
  finish: () => Promise<void>,
): Promise<string[]> {
  await beginWithMigrationLock(client, warn)
  try {
    // A migration may take any time, but it must not block all requests while it waits for a table.
    await client.query(`set local statement_timeout = 0; set local lock_timeout = '${lockTimeoutSeconds}s'`)
    await createMigrationsTable(client)
    if (replaced) await adoptBaseline(client, migrations, replaced)
    const applied = await listAppliedMigrations(client)
    requireKnownHistory(applied, migrations)
    const pending = migrations.slice(applied.length)
    for (const migration of pending) await applyMigration(client, migration)
    await finish()
    await client.query('commit')
    return pending.map(({ name }) => name)
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    throw error
  }
}

/** A database of the last versions before the baseline gets the tables of the baseline, and its history. */
async function adoptBaseline(client: pg.ClientBase, known: Migration[], replaced: ReplacedHistory): Promise<void> {
  const applied = await listAppliedMigrations(client)
  const state = classifyHistory(applied, replaced)
  if (state === 'current') return
  if (state === 'incomplete')
    throw new MigrationError(
      `The database cannot be upgraded. ${describeIncompleteHistory(replaced)} on this database, and then this version.`,
    )
  for (const migration of missingOf(applied, replaced)) await applyMigration(client, migration)
  await client.query(replaced.upgrade)
  await writeBaselineHistory(client, known.slice(0, replaced.baseline))
}

const lockNotAvailable = '55P03'
const deadlockDetected = '40P01'

function isTableInUse(error: unknown): error is Error {
  const cause = error instanceof MigrationError ? error.cause : error
  if (!(cause instanceof Error) || !('code' in cause)) return false
  return cause.code === lockNotAvailable || cause.code === deadlockDetected
}

export const readMigrations = (folder = migrationsFolder): Promise<Migration[]> => readSqlFiles(folder)

export async function createMigrationsTable(client: pg.ClientBase): Promise<void> {
  // A role that may not create tables is refused even if the table exists.
  const { rows } = await client.query<{ exists: boolean }>(`select to_regclass('migrations') is not null as exists`)
  if (rows[0]?.exists) return
  await client.query(`create table migrations (
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

/** Runs in the transaction of the caller. */
export async function applyMigration(client: pg.ClientBase, { name, sql, checksum }: Migration): Promise<void> {
  try {
    await client.query(sql)
    await client.query('insert into migrations (name, checksum) values ($1, $2)', [name, checksum])
  } catch (error) {
    throw new MigrationError(`The migration ${name} failed: ${(error as Error).message}`, { cause: error })
  }
}
