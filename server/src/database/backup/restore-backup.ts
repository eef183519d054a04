import { type FileHandle, open } from 'node:fs/promises'
import type pg from 'pg'
import { advisoryLocks } from '../advisory-locks.ts'
import { applyMigration, listAppliedMigrations, readMigrations } from '../migrate.ts'
import { BackupError } from './backup-error.ts'
import { listTables } from './catalog.ts'
import { checkOutClient } from './check-out-client.ts'
import { neutralSettings } from './copy-statement.ts'
import type { Counts, Header } from './format.ts'
import { loadTables } from './load-tables.ts'
import {
  createTables,
  dropTables,
  hasInstallation,
  isLockFailure,
  isSameHistory,
  lockTables,
  migrationsAfter,
  requireSameShape,
} from './prepare-target.ts'
import type { Progress } from './progress.ts'
import { type Contents, readBackup, verifyBackup } from './read-backup.ts'
import { requireUnusedInstallation } from './require-unused-installation.ts'

export type RestoreOptions = {
  /** Opens the database. Called only after the file was verified. */
  openPool(): Promise<pg.Pool>
  path: string
  /** Whether to replace an installation that is in use. */
  force: boolean
  progress: Progress
  signal: AbortSignal
}

export type Restored = Counts & { header: Header; migrated: string[] }

/** Replaces all data of the database with the data of the file, in one transaction. */
export async function restoreBackup({ openPool, path, force, progress, signal }: RestoreOptions): Promise<Restored> {
  const file = await open(path, 'r')
  try {
    progress.step('check the file')
    const contents = await verifyBackup(file, progress.bytes, signal)
    progress.done()
    const pending = migrationsAfter(contents.header, await readMigrations())
    const client = await checkOutClient(await openPool())
    try {
      await client.query('begin')
      await replaceData({ client, file, contents, force, progress, signal })
      for (const migration of pending) await applyMigration(client, migration)
      // Delivered at commit. Every node that listens reloads its keys.
      await client.query('notify muster_restored')
      signal.throwIfAborted()
      await client.query('commit')
      await analyzeTables(client)
    } finally {
      // Closing the session rolls back an open transaction.
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
  const isMuster = hasInstallation(tables)
  // Checked before the locks, to fail without waiting, and again when nobody else can write.
  if (isMuster && !force) await requireUnusedInstallation(client)
  await lockTables(client, tables)
  if (isMuster && !force) await requireUnusedInstallation(client)

  if (!isMuster || !isSameHistory(header.migrations, await listAppliedMigrations(client))) {
    if (isMuster) await dropTables(client)
    await createTables(client, header)
  }
  await requireSameShape(client, header)
  const parts = readBackup(file)
  await loadTables({ client, contents, parts, progress, signal }).finally(() => parts.return())
}

/** Waits for a node that migrates at its start, or for another restore, to finish. */
async function waitForMigrations(client: pg.PoolClient): Promise<void> {
  await client.query(`set local lock_timeout = '30s'`)
  await client.query('select pg_advisory_xact_lock($1)', [advisoryLocks.migrations]).catch((error: unknown) => {
    throw isLockFailure(error)
      ? new BackupError('Another restore or a migration is running. Try again later. Nothing was changed.')
      : error
  })
}

/** Gives the planner statistics of the new rows. A failure only makes the first minutes slow. */
async function analyzeTables(client: pg.PoolClient): Promise<void> {
  await client.query('begin; set local statement_timeout = 0; analyze; commit').catch(() => undefined)
}
