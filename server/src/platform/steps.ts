import { sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import { isSerializationConflict } from '../database/errors.ts'

/**
 * Runs one part of a stepwise operation in a transaction of its own and audits it there. `target` is the path of the
 * resource that the part changes.
 */
export type Step = <T>(target: string, work: (tx: Database) => Promise<T>) => Promise<T>

type Audit = (tx: Database, target: string) => Promise<void>

/** Commits each step as soon as it is done. */
export function transactionSteps(connection: Database, audit: Audit): Step {
  return (target, work) =>
    retryConflicts(() =>
      connection.transaction().execute(async (tx) => {
        const result = await work(tx)
        await audit(tx, target)
        return result
      }),
    )
}

/** For dry runs: each step is a savepoint of the open transaction, which is rolled back in the end. */
export function savepointSteps(tx: Database, audit: Audit): Step {
  return async (target, work) => {
    await sql`savepoint step`.execute(tx)
    try {
      const result = await work(tx)
      await audit(tx, target)
      return result
    } catch (error) {
      await sql`rollback to savepoint step`.execute(tx)
      throw error
    } finally {
      await sql`release savepoint step`.execute(tx)
    }
  }
}

const maxAttempts = 4

/** Repeats the work if its transaction lost a race. The work must have no effect outside of the transaction. */
export async function retryConflicts<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (!isSerializationConflict(error) || attempt === maxAttempts) throw error
    }
  }
}
