-- Runs once, when the rows of the replaced migrations give way to those of the baseline. Generated triggers write the events
-- since then (repeatable/event_triggers.sql). The functions that wrote them are dropped with their triggers.
drop function record_computer_events, record_changed_computers, record_enrolled_agents, record_enrolled_again,
  record_new_work, record_changed_work, work_event_type, record_deployment_event, record_new_tasks,
  record_inventory_rows, record_changed_inventory_rows, record_changed_inventory_record, record_software_events,
  record_service_events, record_inventory_event, record_scanned_patches, record_changed_patches, record_patch_event,
  record_patch_approval, record_group_events, record_changed_group, record_member_events, record_group_rule,
  record_assignment_events, record_package_events, record_changed_package, record_depot_event, record_depot_sync,
  record_new_principal, record_changed_principal, record_principal_roles, record_principal_secrets,
  record_deleted_principal, record_sign_in, record_audit_anchor, record_issue_events, record_rollout_event,
  record_rollout_ring_event, record_approval_event, camel_case_properties, max_single_events cascade;

create function track_unfinished_tasks() returns trigger language plpgsql as $$
begin
  insert into unfinished_tasks select id from created;
  return null;
end $$;

create trigger tasks_track_unfinished after insert on tasks
  referencing new table as created for each statement execute function track_unfinished_tasks();

create or replace function finish_tasks() returns integer language plpgsql as $$
declare
  finished integer;
begin
  delete from unfinished_tasks where not exists (
    select from work where work.task_id = unfinished_tasks.task_id and state in ('Due', 'Leased'))
    and not exists (select from growing_tasks growing where growing.task_id = unfinished_tasks.task_id);
  get diagnostics finished = row_count;
  return finished;
end $$;

alter function hold_group_trees rename to lock_group_trees;
alter function share_group_trees rename to lock_group_trees_shared;

create or replace function await_new_groups() returns trigger language plpgsql as $$
begin
  perform lock_group_trees();
  return null;
end $$;

create or replace function cancel_work_of_reinstall_group() returns trigger language plpgsql as $$
begin
  with cancelled as (
    update work set state = 'Cancelled', closed_at = now(), leased_until = null
    where reinstall_group_id = old.group_id and state in ('Due', 'Leased')
    returning computer_id, package_id
  ), recorded as (
    insert into distribution_events (computer_id, package_id, result, classification, install_mode)
    select computer_id, package_id, 'Cancelled', 'Cancellation', 'Reinstall' from cancelled
    where exists (select from computers where id = old.computer_id)
  )
  update deployments d set pending_since = null from cancelled c
  where d.computer_id = c.computer_id and d.package_id = c.package_id;
  -- A deleted computer takes only this row with it, not the group.
  delete from groups where id = old.group_id;
  return null;
end $$;
