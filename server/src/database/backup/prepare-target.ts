import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import {
  type AppliedMigration,
  applyMigration,
  type Migration,
  makeMigrationsTable,
  readMigrations,
} from '../migrate.ts'
import { BackupError } from './backup-error.ts'
import { isSame, listDrops, listSequences, listTables, quoted } from './catalog.ts'
import { displayName } from './display-name.ts'
import type { Header, Table } from './format.ts'

/** The migrations that have to follow those of the backup. Throws when the backup is not from our own past. */
export function migrationsAfter(header: Header, known: readonly Migration[]): Migration[] {
  header.migrations.forEach(({ name, checksum }, index) => {
    const migration = known[index]
    if (migration?.name !== name)
      throw new BackupError(
        `The backup was made by a newer version of Muster (${header.musterVersion}), whose migration ${name} this ` +
          'version does not know. Restore it with that version. Nothing was changed.',
      )
    if (migration.checksum !== checksum)
      throw new BackupError(
        `The migration ${name} of the backup is not the one of this version of Muster: one of them was changed. ` +
          'Nothing was changed in the database.',
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

/** False for an empty database. Throws when somebody else's tables are in it: they are not ours to replace. */
export function holdsMuster(tables: readonly Table[]): boolean {
  const has = (wanted: string) => tables.some(({ schema, name }) => schema === 'public' && name === wanted)
  if (has('installation') && has('migrations')) return true
  // The table of the migrations may stand alone after a first start that was interrupted.
  if (tables.length === (has('migrations') ? 1 : 0)) return false
  throw new BackupError('The database holds tables that are not of Muster. Restore into a database of its own.')
}

export async function dropTables(client: pg.ClientBase): Promise<void> {
  for (const drop of await listDrops(client)) await client.query(drop)
}

/** Makes the tables as they were when the backup was made. */
export async function makeTables(client: pg.ClientBase, { migrations }: Header): Promise<void> {
  await makeMigrationsTable(client)
  const known = await readMigrations()
  for (const migration of known.slice(0, migrations.length)) await applyMigration(client, migration)
}

/** Every table and sequence of the backup must be here in the same shape. */
export async function requireSameShape(client: pg.ClientBase, header: Header): Promise<void> {
  const [tables, sequences] = [await listTables(client), await listSequences(client)]
  for (const wanted of [...header.tables, ...header.sequences]) {
    const found = [...tables, ...sequences].find((candidate) => isSame(candidate, wanted))
    if (!found)
      throw new BackupError(
        `The backup holds ${displayName(wanted)}, which this database does not have and the migrations do not make. ` +
          'Start Muster once on this database, so that everything is there, and restore with --force.',
      )
    if ('columns' in wanted && !('columns' in found && hasSameColumns(found, wanted)))
      throw new BackupError(`The table ${displayName(wanted)} has other columns here than in the backup.`)
  }
}

function hasSameColumns(one: Table, other: Table): boolean {
  const columns = ({ columns }: Table) => columns.map(({ name, type }) => `${name} ${type}`).sort()
  return columns(one).join() === columns(other).join()
}

// Shorter than the second after which PostgreSQL looks for deadlocks: it is always us who give way to a request.
const lockTimeout = '800ms'
const lockAttempts = 30

/** Keeps everybody else out of the tables until the transaction ends. */
export async function lockTables(client: pg.ClientBase, tables: readonly Table[]): Promise<void> {
  if (tables.length === 0) return
  await client.query(`set local lock_timeout = '${lockTimeout}'`)
  await client.query('savepoint before_locks')
  for (let attempt = 1; ; attempt++) {
    try {
      await client.query(`lock table ${tables.map(quoted).join(', ')} in access exclusive mode`)
      return
    } catch (error) {
      if (!isLockFailure(error)) throw error
      await client.query('rollback to savepoint before_locks')
      if (attempt === lockAttempts)
        throw new BackupError(
          'The database is too busy: something else, perhaps a backup, has held a table for half a minute. ' +
            'Try again later, or stop the service first. Nothing was changed.',
        )
      await sleep(200)
    }
  }
}

export function isLockFailure(error: unknown): boolean {
  return error instanceof pg.DatabaseError && (error.code === '55P03' || error.code === '40P01')
}
