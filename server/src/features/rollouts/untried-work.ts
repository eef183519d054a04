import { sql } from 'kysely'

/** Cancellations by people. Work that the service cancelled because it was not due any more was not tried. */
const cancelledByPeople = ['Deactivated', 'RequestCancelled', 'RolloutCancelled']

/**
 * Whether a row of `due` was tried since it last changed what the computer gets. Convergence tries everything once for each change: what
 * failed, and what a person has cancelled or removed, waits for the next change or an activation. The last work decides. Its kind
 * matters, because a removal is no attempt to install, unless a person requested it. `ownerId` is the group that has the setting.
 */
export const wasTried = (ownerId: string) => sql<boolean>`coalesce((
    select (last.kind = due.kind or (select kind from tasks where tasks.id = last.task_id) <> 'Activation')
      and last.created_at >= ${changedAt(ownerId)}
    from (
      -- The work of the computer by its index: by that of the package, it would be read for the whole fleet.
      select * from work where work.computer_id = due.computer_id and work.closed_at is not null offset 0
    ) as last
    where last.package_id = due.package_id and (last.state <> 'Cancelled' or last.cancel_reason = any(${cancelledByPeople}::text[]))
    order by last.id desc limit 1
  ), (
    -- Old work is purged.
    select failed.result = 'Failed' and failed.failed_at >= ${changedAt(ownerId)} from deployments failed
    where failed.computer_id = due.computer_id and failed.package_id = due.package_id
  ), false)`

/**
 * When it last changed what a row of `due` brings to the computer, or whether it does. Subqueries in place of joins: a comparison of
 * many computers runs without nested loops, and a hash join would read whole tables for each row.
 */
export const changedAt = (ownerId: string) => sql<Date>`greatest(
  -- A reinstall is always due: to switch convergence on is no reason for it.
  case when due.kind in ('Install', 'Update', 'Uninstall') then (select changed_at from group_convergence where group_id = ${ownerId}) end,
  (select os_installed_at from computers where id = due.computer_id),
  (select imported_at from packages where id = due.package_id),
  (select max(due_at) from software_drifts drift
    where drift.computer_id = due.computer_id and drift.package_id = due.package_id),
  (select max(own.added_at)
    from group_computers own
    where own.computer_id = due.computer_id and (
      select true from group_ancestors above
      where above.descendant_id = own.group_id and above.ancestor_id = due.group_id limit 1)),
  (select max((
      select max(options.changed_at) from distribution_options options
      where options.group_id = above.ancestor_id and (options.package_id is null or options.package_id = due.package_id)))
    from group_ancestors above where above.descendant_id = due.group_id),
  (select max(assigned_at) from group_packages
    where group_id = due.group_id and package_id = due.package_id),
  (select max(assigned_at) from group_language_packs
    where group_id = due.group_id and package_id = due.package_id),
  (select max(assigned.assigned_at)
    from group_software_classes assigned
    where assigned.group_id = due.group_id and (
      select true from software_class_packages listed
      where listed.class_id = assigned.class_id and listed.package_id = due.package_id limit 1)))`
