import { open } from 'node:fs/promises'
import type pg from 'pg'
import { advisoryLocks } from '../advisory-locks.ts'
import { applyMigration, listAppliedMigrations, readMigrations } from '../migrations/migrate.ts'
import { applyRepeatableMigrations } from '../migrations/repeatable-migrations.ts'
import { readReplacedHistory, writeBaselineHistory } from '../migrations/replaced-history.ts'
import { BackupError } from './backup-error.ts'
import { type BackupSource, openBackupSource } from './backup-source.ts'
import { listTables } from './catalog.ts'
import { checkOutClient } from './check-out-client.ts'
import { neutralSettings } from './copy-statement.ts'
import type { BackupSecret } from './encryption.ts'
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
  withBaselineHistory,
} from './prepare-target.ts'
import type { Progress } from './progress.ts'
import { type Contents, readBackup, verifyBackup } from './read-backup.ts'
import { requireUnusedInstallation } from './require-unused-installation.ts'

export type RestoreOptions = {
  /** Opens the database. Called only after the file was verified. */
  openPool(): Promise<pg.Pool>
  path: string
  /** What the file may be encrypted with. */
  secrets?: readonly BackupSecret[]
  /** Called with the restored and migrated data, in the transaction of the restore. */
  finish?: (client: pg.ClientBase, restored: { header: Header; replaced: ReplacedTrail }) => Promise<void>
  /** Whether to replace an installation that is in use. */
  force: boolean
  progress: Progress
  signal: AbortSignal
}

/** The end of each chain of the audit trail that the restore has replaced. */
export type ReplacedTrail = { chain: number; position: number; hash: string }[]

export type Restored = Counts & { header: Header; migrated: string[] }

/** Replaces all data of the database with the data of the file, in one transaction. */
export async function restoreBackup(options: RestoreOptions): Promise<Restored> {
  const { openPool, path, secrets, finish, force, progress, signal } = options
  const file = await open(path, 'r')
  try {
    progress.step('check the file')
    const backup = await openBackupSource(file, secrets)
    const contents = await verifyBackup(backup, progress.bytes, signal)
    progress.done()
    const known = await readMigrations()
    const header = withBaselineHistory(contents.header, known, await readReplacedHistory())
    const pending = migrationsAfter(header, known)
    const client = await checkOutClient(await openPool())
    try {
      await client.query('begin')
      const replaced = await replaceData({ client, backup, contents, header, force, progress, signal })
      const isOfReplacedHistory = header !== contents.header
      if (isOfReplacedHistory) await writeBaselineHistory(client, header.migrations)
      for (const migration of pending) await applyMigration(client, migration)
      await applyRepeatableMigrations(client)
      await client.query('select begin_new_event_log()')
      await finish?.(client, { header: contents.header, replaced })
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
  backup: BackupSource
  contents: Contents
  /** The header, with migrations that this version knows. */
  header: Header
}

async function replaceData(replacement: Replacement): Promise<ReplacedTrail> {
  const { client, backup, contents, header, force, progress, signal } = replacement
  await client.query(neutralSettings)
  await waitForMigrations(client)
  const tables = await listTables(client)
  const isMuster = hasInstallation(tables)
  // Checked before the locks, to fail without waiting, and again when nobody else can write.
  if (isMuster && !force) await requireUnusedInstallation(client)
  await lockTables(client, tables)
  if (isMuster && !force) await requireUnusedInstallation(client)
  const replaced = tables.some(({ name }) => name === 'audit_chains') ? await readTrailEnd(client) : []

  if (!isMuster || !isSameHistory(header.migrations, await listAppliedMigrations(client))) {
    if (isMuster) await dropTables(client)
    await createTables(client, header)
  }
  await requireSameShape(client, header)
  const parts = readBackup(backup)
  await loadTables({ client, contents, parts, progress, signal }).finally(() => parts.return())
  return replaced
}

async function readTrailEnd(client: pg.PoolClient): Promise<ReplacedTrail> {
  const { rows } = await client.query<ReplacedTrail[number]>(
    `select chain, position, encode(hash, 'hex') as hash from public.audit_chains where position > 0 order by chain`,
  )
  return rows
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
