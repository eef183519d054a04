import { type FileHandle, open } from 'node:fs/promises'
import type pg from 'pg'
import { advisoryLocks } from '../advisory-locks.ts'
import { appliedMigrations, applyMigration, readMigrations } from '../migrate.ts'
import { BackupError } from './backup-error.ts'
import { listTables } from './catalog.ts'
import { checkOut } from './check-out.ts'
import { neutralSettings } from './copy-statement.ts'
import type { Counts, Header } from './format.ts'
import { loadTables } from './load-tables.ts'
import {
  dropTables,
  holdsMuster,
  isLockFailure,
  isSameHistory,
  lockTables,
  makeTables,
  migrationsAfter,
  requireSameShape,
} from './prepare-target.ts'
import type { Progress } from './progress.ts'
import { type Contents, readBackup, verifyBackup } from './read-backup.ts'
import { requireNotInUse } from './require-not-in-use.ts'

export type RestoreOptions = {
  /** Opens the database, once it is known that the file is in order. */
  openPool(): Promise<pg.Pool>
  path: string
  /** Replace an installation that is in use. */
  force: boolean
  progress: Progress
  signal: AbortSignal
}

export type Restored = Counts & { header: Header; migrated: string[] }

/** Replaces all data of the database by that of the file, or changes nothing. */
export async function restoreBackup({ openPool, path, force, progress, signal }: RestoreOptions): Promise<Restored> {
  const file = await open(path, 'r')
  try {
    progress.step('check the file')
    const contents = await verifyBackup(file, progress.bytes, signal)
    progress.done()
    const pending = migrationsAfter(contents.header, await readMigrations())
    const client = await checkOut(await openPool())
    try {
      await client.query('begin')
      await replaceData({ client, file, contents, force, progress, signal })
      for (const migration of pending) await applyMigration(client, migration)
      // Arrives with the commit: every node that listens then reads its keys again.
      await client.query('notify muster_restored')
      signal.throwIfAborted()
      await client.query('commit')
      await refreshStatistics(client)
    } finally {
      // Whatever is still open is rolled back by the end of the session.
      client.release(true)
    }
    const { tables } = contents.trailer
    return {
      header: contents.header,
      migrated: pending.map(({ name }) => name),
      rows: tables.reduce((sum, { rows }) => sum + rows, 0),
      bytes: tables.reduce((sum, { bytes }) => sum + bytes, 0),
    }
  } finally {
    await file.close()
  }
}

type Replacement = Pick<RestoreOptions, 'force' | 'progress' | 'signal'> & {
  client: pg.PoolClient
  file: FileHandle
  contents: Contents
}

async function replaceData({ client, file, contents, force, progress, signal }: Replacement): Promise<void> {
  const { header } = contents
  await client.query(neutralSettings)
  await waitForMigrations(client)
  const tables = await listTables(client)
  const isMuster = holdsMuster(tables)
  // Asked twice: before anybody has to wait for us, and when nobody can begin any more.
  if (isMuster && !force) await requireNotInUse(client)
  await lockTables(client, tables)
  if (isMuster && !force) await requireNotInUse(client)

  if (!isMuster || !isSameHistory(header.migrations, await appliedMigrations(client))) {
    if (isMuster) await dropTables(client)
    await makeTables(client, header)
  }
  await requireSameShape(client, header)
  const parts = readBackup(file)
  await loadTables({ client, contents, parts, progress, signal }).finally(() => parts.return())
}

/** A node that starts, or another restore, is given the time to finish. */
async function waitForMigrations(client: pg.PoolClient): Promise<void> {
  await client.query(`set local lock_timeout = '30s'`)
  await client.query('select pg_advisory_xact_lock($1)', [advisoryLocks.migrations]).catch((error: unknown) => {
    throw isLockFailure(error)
      ? new BackupError('Another restore, or a start of Muster that migrates, is at work. Try again later.')
      : error
  })
}

/** The planner knows nothing about new rows. A failure means slow first minutes, not a failed restore. */
async function refreshStatistics(client: pg.PoolClient): Promise<void> {
  await client.query('set statement_timeout = 0; analyze').catch(() => undefined)
}
