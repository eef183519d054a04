import { sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import { isLostRace } from '../database/errors.ts'

/**
 * Runs one part of a stepwise operation in a transaction of its own and audits it there. `target` is the path of the
 * resource that the part changes.
 */
export type Step = <T>(target: string, work: (tx: Database) => Promise<T>) => Promise<T>

/** A request to another operation, as a part of a stepwise one. */
export type PartRequest = {
  /** The id of the operation. */
  operation: string
  /** A function gets the answers of the parts before this one, in the same transaction. */
  params?: Record<string, unknown> | ((answers: readonly unknown[]) => Record<string, unknown>)
  query?: Record<string, unknown>
  body?: unknown
}

/**
 * Calls other operations one after the other, in one transaction, and returns their answers. Each has the role, the checks,
 * the limits and the audit entry of its own declaration. Throws the problem of the first that is refused.
 */
export type RunParts = (parts: readonly PartRequest[]) => Promise<unknown[]>

/** What only stepwise operations have. */
export type Stepping = { step: Step; runParts: RunParts }

type Audit = (tx: Database, target: string) => Promise<void>

/** Commits each step as soon as it is done. */
export function transactionSteps(connection: Database, audit: Audit): Step {
  return (target, work) =>
    transact(connection, async (tx) => {
      const result = await work(tx)
      await audit(tx, target)
      return result
    })
}

/** Runs the work in a transaction of its own, again if it lost a race. */
export function transact<T>(connection: Database, work: (tx: Database) => Promise<T>): Promise<T> {
  return retryConflicts(() => connection.transaction().execute(work))
}

/** For dry runs: each step is a savepoint of the open transaction, which is rolled back in the end. */
export function savepointSteps(tx: Database, audit: Audit): Step {
  return (target, work) =>
    inSavepoint(tx, async () => {
      const result = await work(tx)
      await audit(tx, target)
      return result
    })
}

/** Runs the work in a savepoint of the open transaction, which is rolled back if the work fails. */
export async function inSavepoint<T>(tx: Database, work: (tx: Database) => Promise<T>): Promise<T> {
  await sql`savepoint step`.execute(tx)
  try {
    return await work(tx)
  } catch (error) {
    await sql`rollback to savepoint step`.execute(tx)
    throw error
  } finally {
    await sql`release savepoint step`.execute(tx)
  }
}

const maxAttempts = 4

/** Repeats the work if its transaction lost a race. The work must have no effect outside of the transaction. */
export async function retryConflicts<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (!isLostRace(error) || attempt === maxAttempts) throw error
    }
  }
}
