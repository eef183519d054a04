import { type RawBuilder, sql } from 'kysely'
import { memberships } from '../work-states/justified-work.ts'
import { bringsChange } from './wave-changes.ts'

/** Cancellations by people. Work that the service cancelled because it was not due any more was not tried. */
const cancelledByPeople = ['Deactivated', 'RequestCancelled', 'RolloutCancelled']

/**
 * Whether a row of `due` was not tried since it was last changed what the computer gets. Convergence tries everything once
 * for each change: what failed, and what a person has cancelled or removed, waits for the next change or an activation.
 * Neither does a wave create what an earlier one will create. `ownerId` is the group that has the setting.
 */
export function isUntried(ownerId: string, rolloutId: string | null): RawBuilder<boolean> {
  return sql<boolean>`(not ${wasTried(ownerId)} and not ${isOfOtherWave(ownerId, rolloutId)})`
}

/** The last work decides. Its kind matters, because a removal is no attempt to install, unless a person requested it. */
const wasTried = (ownerId: string) => sql<boolean>`coalesce((
    select (last.kind = due.kind or tasks.kind <> 'Activation') and last.created_at >= ${changedAt(ownerId)}
    from work last join tasks on tasks.id = last.task_id
    where last.computer_id = due.computer_id and last.package_id = due.package_id and last.closed_at is not null
      and (last.state <> 'Cancelled' or last.cancel_reason = any(${cancelledByPeople}::text[]))
    order by last.id desc limit 1
  ), (
    -- Old work is purged.
    select failed.result = 'Failed' and failed.failed_at >= ${changedAt(ownerId)} from deployments failed
    where failed.computer_id = due.computer_id and failed.package_id = due.package_id
  ), false)`

/** When it last changed what a row of `due` brings to the computer, or whether it does. */
const changedAt = (ownerId: string) => sql<Date>`greatest(
  -- A reinstall is always due: to switch convergence on is no reason for it.
  case when due.kind in ('Install', 'Update', 'Uninstall') then (select changed_at from group_convergence where group_id = ${ownerId}) end,
  (select os_installed_at from computers where id = due.computer_id),
  (select imported_at from packages where id = due.package_id),
  (select max(due_at) from software_drifts drift
    where drift.computer_id = due.computer_id and drift.package_id = due.package_id),
  (select max(own.added_at)
    from ${memberships} as member
      join group_computers own on own.group_id = member.group_id and own.computer_id = member.computer_id
      join group_ancestors above on above.descendant_id = member.group_id
    where member.computer_id = due.computer_id and above.ancestor_id = due.group_id),
  (select max(options.changed_at)
    from group_ancestors above join distribution_options options on options.group_id = above.ancestor_id
    where above.descendant_id = due.group_id and (options.package_id is null or options.package_id = due.package_id)),
  (select max(assigned_at) from group_packages
    where group_id = due.group_id and package_id = due.package_id),
  (select max(assigned_at) from group_language_packs
    where group_id = due.group_id and package_id = due.package_id),
  (select max(assigned.assigned_at)
    from group_software_classes assigned join software_class_packages listed on listed.class_id = assigned.class_id
    where assigned.group_id = due.group_id and listed.package_id = due.package_id))`

/** Whether an earlier wave will bring it, or would have if a person had not cancelled it since the change. */
export const isOfOtherWave = (ownerId: string, rolloutId: string | null) => sql<boolean>`exists (
  select from rollouts wave
    join rollout_computers placed on placed.rollout_id = wave.id and placed.computer_id = due.computer_id
    join packages p on p.id = due.package_id
  where wave.is_wave and wave.group_id = ${ownerId} and placed.state = 'Waiting' and ${bringsChange('wave')}
    and (wave.state = 'Cancelled' and wave.created_at >= ${changedAt(ownerId)}
      or wave.ended_at is null and wave.state <> 'Cancelled'
        and wave.created_at < coalesce((select created_at from rollouts where id = ${rolloutId}::uuid), now())))`
