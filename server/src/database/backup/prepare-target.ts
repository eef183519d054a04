import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { applyMigration, createMigrationsTable, readMigrations } from '../migrations/migrate.ts'
import { classifyHistory, describeIncompleteHistory, type ReplacedHistory } from '../migrations/replaced-history.ts'
import type { AppliedMigration, Migration } from '../migrations/sql-files.ts'
import { BackupError } from './backup-error.ts'
import { isSameName, listDropStatements, listSequences, listTables, quoteName } from './catalog.ts'
import { displayName } from './display-name.ts'
import type { Header, Table } from './format.ts'

/**
 * A backup of the last version before the baseline has the tables of the baseline, under the names of other migrations.
 * Returns the header with the migrations of the baseline instead.
 */
export function withBaselineHistory(header: Header, known: readonly Migration[], replaced?: ReplacedHistory): Header {
  const state = classifyHistory(header.migrations, replaced)
  if (state === 'current' || !replaced) return header
  if (state !== 'replaced')
    throw new BackupError(
      `The backup cannot be restored. ${describeIncompleteHistory(replaced)}, restore the backup there, and make a new one. ` +
        'Nothing was changed.',
    )
  return { ...header, migrations: known.slice(0, replaced.baseline) }
}

/** The migrations to apply after those of the backup. Throws if they do not continue the migrations of the backup. */
export function migrationsAfter(header: Header, known: readonly Migration[]): Migration[] {
  header.migrations.forEach(({ name, checksum }, index) => {
    const migration = known[index]
    if (migration?.name !== name)
      throw new BackupError(
        `The backup was made by a newer version of Muster (${header.musterVersion}): this version does not know the ` +
          `migration ${name}. Restore the backup with that version. Nothing was changed.`,
      )
    if (migration.checksum !== checksum)
      throw new BackupError(
        `The migration ${name} of the backup differs from the one of this version of Muster. ` +
          'Restore the backup with the version that made it. Nothing was changed.',
      )
  })
  return known.slice(header.migrations.length)
}

export function isSameHistory(one: readonly AppliedMigration[], other: readonly AppliedMigration[]): boolean {
  return (
    one.length === other.length &&
    one.every(({ name, checksum }, index) => other[index]?.name === name && other[index]?.checksum === checksum)
  )
}

/** False for an empty database. Throws if the database contains tables of another program. */
export function hasInstallation(tables: readonly Table[]): boolean {
  const has = (wanted: string) => tables.some(({ schema, name }) => schema === 'public' && name === wanted)
  if (has('installation') && has('migrations')) return true
  // An interrupted first start may leave only the table of migrations.
  if (tables.length === (has('migrations') ? 1 : 0)) return false
  throw new BackupError(
    'The database contains tables of another program. Restore into an empty database. Nothing was changed.',
  )
}

export async function dropTables(client: pg.ClientBase): Promise<void> {
  for (const drop of await listDropStatements(client)) await client.query(drop)
}

/** Creates the tables as they were when the backup was made. */
export async function createTables(client: pg.ClientBase, { migrations }: Header): Promise<void> {
  await createMigrationsTable(client)
  const known = await readMigrations()
  for (const migration of known.slice(0, migrations.length)) await applyMigration(client, migration)
}

/** Throws unless the database has every table and sequence of the backup, with the same columns. */
export async function requireSameShape(client: pg.ClientBase, header: Header): Promise<void> {
  const [tables, sequences] = [await listTables(client), await listSequences(client)]
  for (const wanted of [...header.tables, ...header.sequences]) {
    const found = [...tables, ...sequences].find((candidate) => isSameName(candidate, wanted))
    if (!found)
      throw new BackupError(
        `The backup contains ${displayName(wanted)}, which neither this database nor its migrations have. ` +
          'Start Muster once on this database, which creates everything, and restore with --force.',
      )
    if ('columns' in wanted && !('columns' in found && hasSameColumns(found, wanted)))
      throw new BackupError(
        `The columns of the table ${displayName(wanted)} differ from those in the backup. Nothing was changed.`,
      )
  }
}

function hasSameColumns(one: Table, other: Table): boolean {
  const columns = ({ columns }: Table) => columns.map(({ name, type }) => `${name} ${type}`).sort()
  return columns(one).join() === columns(other).join()
}

// Shorter than deadlock_timeout (one second) so that in a deadlock the restore gives way and no request fails.
const lockTimeout = '800ms'
const lockAttempts = 30

/** Locks the tables exclusively until the transaction ends. */
export async function lockTables(client: pg.ClientBase, tables: readonly Table[]): Promise<void> {
  if (tables.length === 0) return
  await client.query(`set local lock_timeout = '${lockTimeout}'`)
  await client.query('savepoint before_locks')
  for (let attempt = 1; ; attempt++) {
    try {
      await client.query(`lock table ${tables.map(quoteName).join(', ')} in access exclusive mode`)
      await lockEventLog(client)
      return
    } catch (error) {
      if (!isLockFailure(error)) throw error
      await client.query('rollback to savepoint before_locks')
      if (attempt === lockAttempts)
        throw new BackupError(
          'Another program, perhaps a backup, has kept a table locked for half a minute. ' +
            'Try again later, or stop the service first. Nothing was changed.',
        )
      await sleep(200)
    }
  }
}

/** A restore begins a new log, which is not part of a backup. A database of an earlier version has none. */
async function lockEventLog(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query(`select from pg_proc where oid = to_regprocedure('public.lock_event_log()')`)
  if (rows.length > 0) await client.query('select public.lock_event_log()')
}

export function isLockFailure(error: unknown): boolean {
  return error instanceof pg.DatabaseError && (error.code === '55P03' || error.code === '40P01')
}
