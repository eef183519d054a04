import { sql } from 'kysely'
import { tryLockForTransaction } from '../../../database/advisory-locks.ts'
import type { Database } from '../../../database/connect.ts'
import type { PeriodicTask } from '../../../jobs/scheduler.ts'
import { compareNewInventories } from '../compare/compare-inventories.ts'
import { countVulnerableComputers } from '../compare/count-computers.ts'

/** Compares new inventories with advisories and counts the affected computers, on one node at a time. */
export function followInventories(db: Database): PeriodicTask {
  return {
    name: 'compare inventories with advisories',
    intervalSeconds: 60,
    idleIntervalSeconds: 600,
    // A count that takes long must not be repeated at once.
    maxShareOfTime: 1 / 20,
    async run() {
      if (!(await hasAdvisories(db))) return undefined
      await db.transaction().execute(async (transaction) => {
        if (await tryLockForTransaction(transaction, 'vulnerabilities')) await compareNewInventories(transaction)
      })
      await db.transaction().execute(async (transaction) => {
        if (!(await tryLockForTransaction(transaction, 'vulnerabilities'))) return
        if (await isCountDue(transaction)) await countVulnerableComputers(transaction)
      })
      return undefined
    },
  }
}

/** An installation that imports no advisories compares nothing. */
async function hasAdvisories(db: Database): Promise<boolean> {
  const { rows } = await sql<{ has: boolean }>`
    select exists (select from vulnerability_sources where imported_at is not null) as has`.execute(db)
  return rows[0]?.has ?? false
}

/** Exceptions that expire change what is open, so the fleet is counted at least once an hour. */
async function isCountDue(db: Database): Promise<boolean> {
  const { rows } = await sql<{ is_due: boolean }>`
    select count_is_due or counted_at is null or counted_at < now() - interval '1 hour' as is_due
    from vulnerability_state`.execute(db)
  return rows[0]?.is_due ?? false
}
