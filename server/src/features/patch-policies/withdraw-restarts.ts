import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { decidingRestarts } from '../hand-out/policy-restarts.ts'
import { cancelWork } from '../work-states/cancel-work.ts'
import { isOpenWork, workLockOrder } from '../work-states/work-states.ts'

/**
 * Withdraws the restarts of policies that no agent has begun, or that an agent has lost: if the window is nearly over, if the computer
 * does not need the restart any more, or if another policy decides about it now, or none. Also withdraws all of a policy whose
 * settings have changed; they are requested again with the new ones. Returns how many.
 */
export async function withdrawRestarts(
  db: Database,
  { changedPolicyId = null }: { changedPolicyId?: number | null } = {},
): Promise<number> {
  const doomed = sql`
    with waiting as materialized (
      select work.id, work.computer_id, work.restart_policy_id, work.window_ends_at from work
      where ${isOpenWork('work.state')} and work.restart_policy_id is not null and ${isNotBegun}
    ), decided as materialized (
      ${decidingRestarts(sql<{ owner_id: number }>`select computer_id as owner_id from waiting`)}
    ), doomed as materialized (
      select work.id
      from work
        join waiting on waiting.id = work.id
        left join decided on decided.owner_id = waiting.computer_id
        left join agents on agents.computer_id = waiting.computer_id
      where ${isOpenWork('work.state')} and ${isNotBegun} and (
        -- Without an end, no window opens any more.
        coalesce(waiting.window_ends_at <= now(), true) or coalesce(not agents.is_reboot_required, true)
        or decided.policy_id is distinct from waiting.restart_policy_id
        or waiting.restart_policy_id = ${changedPolicyId}::integer)
      order by ${workLockOrder('work')} for update of work
    )`
  const { numAffectedRows = 0n } = await sql`
    ${doomed} ${cancelWork(sql`from doomed where work.id = doomed.id`, cancellation)}`.execute(db)
  return Number(numAffectedRows)
}

const cancellation = {
  reason: 'RequestCancelled',
  subject: 'The window of the patch policy has ended, or the policy does not ask for the restart any more.',
} as const

const isNotBegun = sql<boolean>`(work.state = 'Due' or work.leased_until <= now())`
