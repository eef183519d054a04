import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { isFrozen } from '../blast-radius/freeze.ts'
import type { PowerSettings } from '../deployments/power-settings.ts'
import { offerFlag } from '../distribution/commands.ts'
import type { StoredUserDeadline } from '../distribution/user-deadline.ts'
import { isDistributable } from '../packages/distributable.ts'
import { computersToFix } from '../patches/computers-to-fix.ts'
import { isOpenWork, type LeasableWorkKind, workLockOrder } from '../work-states/work-states.ts'
import { isLeasedNow, type RequesterRow, type WorkFacts, workFactColumns, workOf } from './work-facts.ts'

/** A work item that may be handed out: its facts, its place in the order of execution, and what the agent gets of it. */
export type WorkCandidate = WorkFacts & {
  id: number
  computer_id: number
  kind: LeasableWorkKind
  is_requested_reboot: boolean
  has_other_lease: boolean
  revoke_count: number
  revoke_date: Date | null
  user_deadline: StoredUserDeadline | null
  first_leased_at: Date | null
  power_action: PowerSettings['action'] | null
  timeout_minutes: number | null
  reminder_minutes: number | null
  /** The patch policy that has requested the restart. */
  restart_policy_id: number | null
  name: string | null
  version: string | null
  operating_systems: string[] | null
  content_hash: string | null
}

/** The columns of `WorkCandidate`. */
export const workCandidateColumns = sql`
  w.id, w.computer_id, ${workFactColumns}, w.revoke_count, w.revoke_date,
  coalesce(rollout.user_deadline, w.user_deadline) as user_deadline, w.first_leased_at, w.power_action, w.timeout_minutes, w.reminder_minutes, w.restart_policy_id,
  p.name, p.version, p.operating_systems, encode(p.content_hash, 'hex') as content_hash,
  -- That of a policy comes after the patches that may need it.
  w.power_action = 'Reboot' and w.restart_policy_id is null and exists (
    select from tasks where tasks.id = w.task_id and tasks.kind = 'Reboot') as is_requested_reboot,
  -- Not exists(): without statistics, the planner would read all work once instead of that of the computer.
  (select true from work o
    where o.computer_id = w.computer_id and o.id <> w.id and ${isLeasedNow('o')} limit 1) is not null as has_other_lease`

/**
 * Locks the work of the agents that may be handed out, or that ends (`isToWithdraw`). The conditions follow from the rules of
 * `blockersOf`, which decides: they only keep rows from being locked that would not be handed out anyway.
 */
export async function lockCandidates(db: Database, requesters: RawBuilder<RequesterRow>): Promise<WorkCandidate[]> {
  const { rows } = await sql<WorkCandidate>`
    select ${workCandidateColumns}
    from ${workOf(requesters)}
    -- Keys in an array, and those by \`offset 0\`, keep the planner from reading all work, whatever it believes about its size.
    where w.id = any(array(
        select own.id from (${requesters}) as asking cross join lateral (
          select id from work where work.computer_id = asking.owner_id and ${isOpenWork('work.state')} offset 0) as own))
      and not ${isFrozen} and ${isOpenWork('w.state')} and w.kind <> 'OperatingSystem'
      and w.not_before <= now() and not ${isLeasedNow('w')}
      and (relation.unmet_condition is not null or relation.unready_replacements = '{}'
        or (w.package_id is null or ${isDistributable('p')}) and relation.unready_replacements is null
        -- What an offer requires comes once its user takes it.
        and (relation.awaited_packages is null or ${offerFlag('w')} = 1) and relation.conflicting_packages is null and relation.superseded_packages is null)
    order by ${workLockOrder('w')}
    for update of w`.execute(db)
  return withPatchFacts(db, rows)
}

/** Looks up whether fix packages have something to do. Only they need it, and it is expensive. */
export async function withPatchFacts<Item extends WorkFacts & { computer_id: number }>(
  db: Database,
  items: readonly Item[],
): Promise<Item[]> {
  const isFix = ({ package_kind }: Item) => package_kind === 'PatchFix'
  const computerIds = items.filter(isFix).map(({ computer_id }) => computer_id)
  if (computerIds.length === 0) return [...items]
  const { rows } = await computersToFix(sql`select distinct unnest(${computerIds}::integer[]) as owner_id`).execute(db)
  const withPatches = new Set(rows.map(({ computer_id }) => computer_id))
  return items.map((item) => (isFix(item) ? { ...item, has_patches: withPatches.has(item.computer_id) } : item))
}
