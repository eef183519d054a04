import type { PackageKind } from '@muster/package-format'
import { type RawBuilder, sql } from 'kysely'
import { isFrozen } from '../blast-radius/freeze.ts'
import { isLost } from '../deployments/lease.ts'
import type { DelayReason } from '../deployments/work-choices.ts'
import { isOpenWork, type WorkKind } from '../work-states/work-states.ts'
import { conflictingPackages, supersededPackages, unreadyReplacements } from './related-packages.ts'
import { joinRollout, type RolloutFactsOfWork, rolloutFactColumns } from './rollout-facts.ts'

/** The agents whose work is looked at, as rows: each with the process that makes contact, or that would. */
export type RequesterRow = {
  owner_id: number
  run_id: string | null
  is_duplicate_process: boolean
  has_no_leased_work: boolean
}

/** Everything about an open work item that decides whether it is handed out. */
export type WorkFacts = {
  kind: WorkKind
  attempt: number
  failures: number
  postponements: number
  /** How often the agent returned it for the sake of the person at the computer. */
  delays: number
  commands: number
  schedule: string
  /** Null: never, because no window opens any more. */
  not_before: Date | null
  delayed_by: 'User' | 'Retry' | 'Rollout' | DelayReason | null
  window_ends_at: Date | null
  optional_date: Date | null
  /** Whether an agent has it: the process that makes contact, or another one that may still be at work. */
  is_leased: boolean
  leased_until: Date | null
  package_id: string | null
  package_kind: PackageKind | null
  is_released: boolean | null
  hash_state: 'None' | 'Current' | 'Mismatch' | null
  is_pre_os: boolean | null
  /** Names of the packages whose work has to succeed first; null: none. */
  awaited_packages: string[] | null
  /** The version that has to be uninstalled first, in a rollback; null: none. */
  awaited_removal: string | null
  /** Why the computer does not meet the conditions of the package now, as a sentence; null if it does. */
  unmet_condition: string | null
  /** Names of the packages that have to be uninstalled first; null: none. */
  superseded_packages: string[] | null
  /**
   * Names of the packages for which it is uninstalled, if none of them may be distributed now. Empty: none of them comes to the
   * computer any more. Null: nothing has to come after it, or may.
   */
  unready_replacements: string[] | null
  /** Names of the packages that must not be on the same computer, and are or come first; null: none. */
  conflicting_packages: string[] | null
  /** Whether a missing patch is released to the computer; null if the item is not a fix package, or not looked up yet. */
  has_patches: boolean | null
  /** Whether a patch policy has requested a restart that the computer does not need any more. */
  is_needless_restart: boolean
  is_frozen: boolean
  now: Date
} & RolloutFactsOfWork

/** Whether the agent has lost the lease of a work item, given its alias; null if it has none. */
function isLeaseLost(work: string): RawBuilder<boolean | null> {
  return isLost(work, {
    runId: sql.ref('requester.run_id'),
    isDuplicateProcess: sql.ref('requester.is_duplicate_process'),
    hasNoLeasedWork: sql.ref('requester.has_no_leased_work'),
  })
}

/** Whether an agent has a work item, given its alias. */
export function isLeasedNow(work: string): RawBuilder<boolean> {
  const column = (name: string) => sql.ref(`${work}.${name}`)
  return sql`(${column('state')} = 'Leased' and ${column('leased_until')} > now() and ${isLeaseLost(work)} is not true)`
}

/**
 * The requirements that do not allow a work item now: required packages are installed before the packages that require
 * them, and uninstalled after them.
 */
const awaitedPackages: RawBuilder<string[] | null> = sql`
  case
    when w.package_id is null or w.kind = 'OperatingSystem' then null
    when w.kind = 'Uninstall' then (
      select array_agg(distinct q.package_name)
      from work o
        join package_requirements needed on needed.package_id = o.package_id
        join packages q on q.id = o.package_id
      where o.computer_id = w.computer_id and o.kind = 'Uninstall' and ${isOpenWork('o.state')} and o.id <> w.id
        and lower(needed.required_name) = lower(p.package_name)
        and not exists (
          select from package_requirements mutual
          where mutual.package_id = w.package_id and lower(mutual.required_name) = lower(q.package_name)))
    else (
      select array_agg(needed.required_name order by needed.required_name)
      from package_requirements needed
      where needed.package_id = w.package_id and not exists (
        select from deployments d
          join packages q on q.id = d.package_id
        where d.computer_id = w.computer_id and d.installation_state = 'Installed'
          and (lower(q.package_name) = lower(needed.required_name) or exists (
            select from package_supersedes taken_over
            where taken_over.package_id = q.id and lower(taken_over.superseded_name) = lower(needed.required_name)))))
  end`

/** In a rollback, the previous version is installed after the removal of the new one. */
const awaitedRemoval: RawBuilder<string | null> = sql`
  case when w.rolled_back_package_id <> w.package_id then (
    select concat_ws(' ', q.name, q.version)
    from work o join packages q on q.id = o.package_id
    where o.computer_id = w.computer_id and o.package_id = w.rolled_back_package_id and o.kind = 'Uninstall'
      and ${isOpenWork('o.state')})
  end`

/**
 * What was met at the activation may not be met any more: a drive may be full. What is installed has shown that it is for the
 * computer, and is updated.
 */
export const unmetConditionOfWork: RawBuilder<string | null> = sql`
  case when w.kind in ('Install', 'Update') and exists (select from packages where conditions is not null)
    then unmet_condition_of_work(w.computer_id, w.package_id) end`

/**
 * Joins what the facts of the work item `w` need: `p` is its package, `rollout` its rollout, and `relation` what the relations and
 * conditions of the package have against it. `offset 0` keeps the planner from planning these once for each mention.
 */
export const factJoins: RawBuilder<unknown> = sql`left join packages p on p.id = w.package_id ${joinRollout}
  cross join lateral (
    select ${awaitedPackages} as awaited_packages, ${conflictingPackages} as conflicting_packages,
      ${supersededPackages} as superseded_packages, ${unreadyReplacements} as unready_replacements,
      ${unmetConditionOfWork} as unmet_condition
    offset 0
  ) as relation`

/** Where the facts come from: `w` is the work item, `requester` the agent. */
export function workOf(requesters: RawBuilder<RequesterRow>): RawBuilder<unknown> {
  return sql`(${requesters}) as requester join work w on w.computer_id = requester.owner_id ${factJoins}`
}

/** The columns of `WorkFacts`. A fact that a rule needs is added here. */
export const workFactColumns: RawBuilder<WorkFacts> = sql`
  w.kind, w.attempt, w.failures, w.postponements, w.delays, w.commands, w.schedule,
  case when isfinite(w.not_before) then w.not_before end as not_before, w.delayed_by, w.window_ends_at, w.optional_date,
  ${isLeasedNow('w')} as is_leased, w.leased_until,
  p.id as package_id, p.kind as package_kind, p.is_operational as is_released, p.hash_state, p.is_pre_os,
  relation.awaited_packages, relation.conflicting_packages, relation.superseded_packages, relation.unready_replacements,
  relation.unmet_condition,
  ${awaitedRemoval} as awaited_removal, null::boolean as has_patches,
  case when w.restart_policy_id is null then false
    else not coalesce((select is_reboot_required from agents where agents.computer_id = w.computer_id), false) end as is_needless_restart,
  ${isFrozen} as is_frozen, now() as now, ${rolloutFactColumns}`
