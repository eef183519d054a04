-- Nothing that a computer was activated for outlives its membership: the activation ends with it, and boot grants end with
-- the activation. The group of a membership exists, so its own reference is not needed any more.
delete from activations
where group_id is not null and not exists (
  select from group_computers member
  where member.group_id = activations.group_id and member.computer_id = activations.computer_id);

alter table activations
  drop constraint activations_group_id_fkey,
  add constraint activations_membership_fkey
    foreign key (group_id, computer_id) references group_computers (group_id, computer_id) on delete cascade;

-- Why the service has cancelled a work item: a code, and the name of the group or image that it is about, as it was called
-- then.
alter table work
  add column cancel_reason text,
  add column cancel_subject text,
  add constraint work_cancel_check check (cancel_reason is null or state = 'Cancelled');

-- Work that was left behind when a membership or an assignment ended.
update work set state = 'Cancelled', closed_at = now(), leased_until = null, cancel_reason = 'Unassigned'
where state in ('Due', 'Leased') and package_id is not null and (
  not exists (
    select from effective_memberships member
      join group_ancestors above on above.descendant_id = member.group_id
      join assigned_packages assigned on assigned.group_id = above.ancestor_id
    where member.computer_id = work.computer_id and assigned.package_id = work.package_id)
  or kind = 'OperatingSystem' and not exists (
    select from activations where activations.computer_id = work.computer_id and activations.pxe));

delete from reinstall_groups where group_id in (
  select reinstall_group_id from work where cancel_reason = 'Unassigned' and reinstall_group_id is not null);

update deployments set pending_since = null
where pending_since is not null and not exists (
  select from work
  where work.computer_id = deployments.computer_id and work.package_id = deployments.package_id
    and work.state in ('Due', 'Leased'));

-- Nothing has failed and nothing is pending on a computer to which the package is not assigned any more.
delete from deployments
where status in ('Failed', 'Pending') and installation_state <> 'Installed' and not exists (
  select from effective_memberships member
    join group_ancestors above on above.descendant_id = member.group_id
    join assigned_packages assigned on assigned.group_id = above.ancestor_id
  where member.computer_id = deployments.computer_id and assigned.package_id = deployments.package_id);

update deployments set result = null, failed_at = null, error_text = null
where status = 'Failed' and installation_state = 'Installed' and not exists (
  select from effective_memberships member
    join group_ancestors above on above.descendant_id = member.group_id
    join assigned_packages assigned on assigned.group_id = above.ancestor_id
  where member.computer_id = deployments.computer_id and assigned.package_id = deployments.package_id);

-- When a reinstall group is deleted, alone or with a group above it, its work is cancelled.
create or replace function cancel_work_of_reinstall_group() returns trigger language plpgsql as $$
declare
  is_group_deleted boolean := not exists (select from groups where id = old.group_id);
begin
  with cancelled as (
    update work set state = 'Cancelled', closed_at = now(), leased_until = null,
      cancel_reason = case when is_group_deleted then 'GroupDeleted' else 'RequestCancelled' end
    where reinstall_group_id = old.group_id and state in ('Due', 'Leased')
    returning computer_id, package_id
  ), recorded as (
    insert into distribution_events (computer_id, package_id, result, classification, install_mode, info)
    select computer_id, package_id, 'Cancelled', 'Cancellation', 'Reinstall',
      case when is_group_deleted then 'The group above it was deleted.' else 'The request was cancelled.' end
    from cancelled
    where exists (select from computers where id = old.computer_id)
  )
  update deployments d set pending_since = null from cancelled c
  where d.computer_id = c.computer_id and d.package_id = c.package_id;
  -- A deleted computer takes only this row with it, not the group.
  delete from groups where id = old.group_id;
  return null;
end $$;
