import { type RawBuilder, sql } from 'kysely'
import { isOpenWork } from '../work-states/work-states.ts'

/** A computer that an upgrade has brought its version to, and the group of the upgrade through which it has it. */
export type ReachedComputer = {
  computer_id: number
  group_id: string
  old_package_id: string
  rollout_group_id: string
  /**
   * Whether the version is installed, or an agent may be installing it; or the upgrade has uninstalled the previous version first, or
   * an agent may be doing so. Otherwise it is pending.
   */
  is_begun: boolean
}

/** Any version meets the requirement of another package, so what pulls the version in does not keep it. */
const directAssignments = sql<{ group_id: string; package_id: string }>`
  select group_id, package_id from group_packages
  union all
  select class.group_id, member.package_id
  from group_software_classes class join software_class_packages member on member.class_id = class.class_id`

const isInstalled = (packageId: RawBuilder<unknown>) => sql<boolean>`exists (
  select from deployments
  where deployments.computer_id = placed.computer_id and deployments.package_id = ${packageId}
    and installation_state = 'Installed')`

const mayBeRunning = (work: string) => sql<boolean>`(
  ${sql.ref(`${work}.state`)} = 'Leased' or ${sql.ref(`${work}.state`)} = 'Cancelled' and ${sql.ref(`${work}.run_id`)} is not null)`

/**
 * The computers that the rollouts of an upgrade have released and that have its version, or work for it, since. Those that had it
 * before, that left the groups of the upgrade, or that get the version from another group as well are not among them. The group of the
 * upgrade that is nearest to a computer decides which version it had.
 */
export function reachedComputers(upgradeId: string): RawBuilder<ReachedComputer> {
  return sql<ReachedComputer>`
    select distinct on (placed.computer_id) placed.computer_id, own.group_id, own.old_package_id, own.rollout_group_id,
      version.is_installed or version.is_running or version.is_removing as is_begun
    from package_upgrades upgrade
      join rollouts on rollouts.upgrade_id = upgrade.id and rollouts.rolled_back_package_id is null
      join rollout_computers placed on placed.rollout_id = rollouts.id
        and placed.released_at is not null and placed.state <> 'NothingDue'
      join effective_memberships member on member.computer_id = placed.computer_id
      join group_ancestors above on above.descendant_id = member.group_id
      join package_upgrade_groups own on own.upgrade_id = upgrade.id and own.group_id = above.ancestor_id
      cross join lateral (
        select ${isInstalled(sql`upgrade.package_id`)} as is_installed,
          coalesce(bool_or(${mayBeRunning('work')}), false) as is_running,
          coalesce(bool_or(${isOpenWork('work.state')}), false) as is_pending,
          exists (
            select from work removal
            where removal.computer_id = placed.computer_id and removal.package_id = own.old_package_id
              and removal.rollout_id = rollouts.id and removal.kind = 'Uninstall'
              and (${mayBeRunning('removal')} and coalesce(removal.closed_at > now() - interval '1 day', true)
                or removal.state = 'Success' and not ${isInstalled(sql`own.old_package_id`)})) as is_removing
        from work
        where work.computer_id = placed.computer_id and work.package_id = upgrade.package_id and work.kind <> 'Uninstall'
          and (work.closed_at is null or work.closed_at > now() - interval '1 day')
      ) as version
    where upgrade.id = ${upgradeId}
      and (version.is_installed or version.is_running or version.is_removing or version.is_pending)
      and not exists (
        select from effective_memberships other_member
          join group_ancestors other on other.descendant_id = other_member.group_id
          join (${directAssignments}) as assigned on assigned.group_id = other.ancestor_id
        where other_member.computer_id = placed.computer_id and assigned.package_id = upgrade.package_id
          and assigned.group_id not in (select group_id from package_upgrade_groups where upgrade_id = upgrade.id))
    order by placed.computer_id, above.distance, own.group_id`
}
