import { type RawBuilder, sql } from 'kysely'
import type { Database } from './connect.ts'

/**
 * The keys of all advisory locks. They never change: nodes of two versions may share a database during an upgrade, and
 * backups restore functions that contain the key of `groupTrees`.
 */
export const advisoryLocks = {
  migrations: 5_057_001,
  /** Taken for every change of the keys, not only those that sign. */
  signingKeyRotation: 5_057_002,
  /** Taken by SQL functions: `lock_group_trees()`, `lock_group_trees_shared()` and the trigger that places new groups. */
  groupTrees: 5_057_003,
  taskPurge: 5_057_006,
  patchCatalog: 5_057_022,
  fleetStatistics: 5_057_023,
  packageContent: 5_057_032,
  auditAnchors: 5_057_053,
  taskChanges: 5_057_061,
  fleetHistory: 5_057_062,
  eventSequence: 5_057_063,
  issueFindings: 5_057_064,
  slicedActivations: 5_057_057,
  fleetGauges: 5_057_068,
  groupRules: 5_057_072,
  convergence: 5_057_073,
  packageRelations: 5_057_080,
  packageUploads: 5_057_081,
  vulnerabilities: 5_057_082,
  patchRings: 5_057_083,
  patchRestarts: 5_057_084,
} as const

type AdvisoryLock = keyof typeof advisoryLocks

/** Waits for the lock and keeps it until the transaction ends. */
export async function lockForTransaction(db: Database, lock: AdvisoryLock): Promise<void> {
  await sql`select pg_advisory_xact_lock(${advisoryLocks[lock]})`.execute(db)
}

/** Like `lockForTransaction`, but any number of transactions may share the lock. */
export async function lockForTransactionShared(db: Database, lock: AdvisoryLock): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(${advisoryLocks[lock]})`.execute(db)
}

/** Takes the lock until the transaction ends, unless another transaction has it. Returns whether it took the lock. */
export async function tryLockForTransaction(db: Database, lock: AdvisoryLock): Promise<boolean> {
  const { rows } = await sql<{ isLocked: boolean }>`
    select pg_try_advisory_xact_lock(${advisoryLocks[lock]}) as "isLocked"`.execute(db)
  return rows[0]?.isLocked ?? false
}

/** The key of the lock on what a text identifies, such as a path or a serial number. */
export const advisoryKeyOf = (text: string | RawBuilder<string>) => sql<bigint>`hashtextextended(${text}, 0)`

/** Waits for the lock on what the text identifies and keeps it until the transaction ends. */
export async function lockTextForTransaction(db: Database, text: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(${advisoryKeyOf(text)})`.execute(db)
}
