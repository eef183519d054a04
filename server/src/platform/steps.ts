import { sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import { isSerializationConflict } from '../database/errors.ts'

/**
 * Does a part of the work of an operation wholly or not at all, in a transaction of its own. `target` is the path of
 * what it changes, under which it is audited.
 */
export type Step = <T>(target: string, work: (db: Database) => Promise<T>) => Promise<T>

type Audit = (db: Database, target: string) => Promise<void>

/** Each step is kept as soon as it is done. */
export function transactionSteps(connection: Database, audit: Audit): Step {
  return (target, work) =>
    retryConflicts(() =>
      connection.transaction().execute(async (db) => {
        const result = await work(db)
        await audit(db, target)
        return result
      }),
    )
}

/** For a dry run: each step is done or undone as with transactions, but all of them in the one that is open. */
export function savepointSteps(db: Database, audit: Audit): Step {
  return async (target, work) => {
    await sql`savepoint step`.execute(db)
    try {
      const result = await work(db)
      await audit(db, target)
      return result
    } catch (error) {
      await sql`rollback to savepoint step`.execute(db)
      throw error
    } finally {
      await sql`release savepoint step`.execute(db)
    }
  }
}

const attempts = 4

/** Does the work again when its transaction lost a race; it must have no effect outside of that. */
export async function retryConflicts<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (!isSerializationConflict(error) || attempt === attempts) throw error
    }
  }
}
