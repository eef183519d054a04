import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { cancelWorkCtes } from '../../work-states/cancel-work.ts'
import { activatedFor, isAssigned } from '../../work-states/justified-work.ts'
import { isOpenWork, workLockOrder } from '../../work-states/work-states.ts'
import type { ActivationScope } from '../activation/activation-scope.ts'

const isOpenTrial = sql<boolean>`work.kind = 'Trial' and ${isOpenWork('work.state')}`

/**
 * Cancels trials of packages that an activation brings to the same computers: the package must not be uninstalled again. An
 * agent that has begun such a trial ends it first: it does one work item after the other.
 */
export async function cancelReplacedTrials(db: Database, { computers }: ActivationScope): Promise<void> {
  if (!(await hasOpenTrials(db))) return
  await sql`
    with obsolete as materialized (
      select work.id from work
      where ${isOpenTrial} and work.computer_id in (select owner_id from (${computers}) as scope)
        and ${isAssigned('work', activatedFor(sql`activation.software`))}
      order by ${workLockOrder('work')} for update of work
    ), ${cancelWorkCtes(sql`select id from obsolete`, { reason: 'NewRequest' })}
    select from cancelled`.execute(db)
}

/** Mostly there are none, and an index has only them. */
async function hasOpenTrials(db: Database): Promise<boolean> {
  const { rows } = await sql<{
    exists: boolean
  }>`select exists (select from work where ${isOpenTrial}) as exists`.execute(db)
  return rows[0]?.exists ?? false
}
