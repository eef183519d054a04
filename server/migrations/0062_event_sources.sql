-- Triggers leave the events, so that no writer can forget one. They run once per statement where statements change many
-- rows, and per row with a condition where nearly all changes are of no interest.

-- Computers.
create function record_computer_events() returns trigger language plpgsql as $$
declare
  type text := case tg_op when 'INSERT' then 'muster.computer.created' else 'muster.computer.deleted' end;
begin
  if (select count(*) from (select from changed limit max_single_events() + 1) as one) > max_single_events() then
    insert into event_outbox (type, subject, data)
    select type, '/api/computer', jsonb_build_object('computers', count(*), 'list', '/api/computer') from changed;
  else
    insert into event_outbox (type, subject, computer_id, data)
    select type, '/api/computer/' || id, id,
      jsonb_build_object('computers', 1, 'computerId', id, 'computerName', name, 'domain', domain) from changed;
  end if;
  return null;
end $$;

create trigger computers_record_created after insert on computers
  referencing new table as changed for each statement execute function record_computer_events();
create trigger computers_record_deleted after delete on computers
  referencing old table as changed for each statement execute function record_computer_events();

create function record_changed_computers() returns trigger language plpgsql as $$
declare
  -- When a computer was last seen or changed is no news. The key of the MAC address follows from the address.
  unimportant text[] := array['modified_at', 'inventory_at', 'mac_key'];
begin
  if (select count(*) from (select from changed limit max_single_events() + 1) as one) > max_single_events() then
    insert into event_outbox (type, subject, data)
    select 'muster.computer.changed', '/api/computer',
      jsonb_build_object('computers', count(*), 'list', '/api/computer?modifiedAfter=' || to_char(
        now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'))
    from changed join before using (id) where to_jsonb(changed) - unimportant <> to_jsonb(before) - unimportant
    having count(*) > 0;
  else
    insert into event_outbox (type, subject, computer_id, data)
    select 'muster.computer.changed', '/api/computer/' || id, id,
      jsonb_build_object('computers', 1, 'computerId', id, 'computerName', name, 'changes', changes)
    from (
      select id, changed.name,
        changed_properties(to_jsonb(before) - unimportant, to_jsonb(changed) - unimportant) as changes
      from changed join before using (id)
    ) as one where changes is not null;
  end if;
  return null;
end $$;

create trigger computers_record_changed after update on computers
  referencing old table as before new table as changed for each statement execute function record_changed_computers();

create function record_enrolled_agents() returns trigger language plpgsql as $$
begin
  if (select count(*) from (select from changed limit max_single_events() + 1) as one) > max_single_events() then
    insert into event_outbox (type, subject, data)
    select 'muster.computer.enrolled', '/api/computer',
      jsonb_build_object('computers', count(*), 'list', '/api/computer') from changed;
  else
    insert into event_outbox (type, subject, computer_id, data)
    select 'muster.computer.enrolled', '/api/computer/' || id, id, jsonb_build_object('computers', 1, 'computerId', id,
      'computerName', computers.name, 'agentKind', changed.kind, 'agentVersion', changed.version)
    from changed join computers on computers.id = changed.computer_id;
  end if;
  return null;
end $$;

create trigger agents_record_enrolled after insert on agents
  referencing new table as changed for each statement execute function record_enrolled_agents();

create function record_enrolled_again() returns trigger language plpgsql as $$
begin
  insert into event_outbox (type, subject, computer_id, data)
  select 'muster.computer.enrolled', '/api/computer/' || id, id, jsonb_build_object('computers', 1, 'computerId', id,
    'computerName', name, 'agentKind', new.kind, 'agentVersion', new.version)
  from computers where id = new.computer_id;
  return null;
end $$;

create trigger agents_record_enrolled_again after update on agents
  for each row when (old.enrolled_at <> new.enrolled_at) execute function record_enrolled_again();

-- Work items. Few of them: one event for each computer and task. Many: one for each task, package and kind.
create function record_new_work() returns trigger language plpgsql as $$
begin
  if (select count(*) from (select from changed limit max_single_events() + 1) as one) > max_single_events() then
    insert into event_outbox (type, subject, data)
    select 'muster.work.due', '/api/tasks/' || task_id, jsonb_build_object('computers', items, 'workItems', items,
      'taskId', task_id, 'kind', one.kind, 'packageId', package_id, 'packageName', packages.name,
      'list', '/api/tasks/' || task_id)
    from (
      -- A computer has one open work item of a package, so the items are as many as the computers.
      select task_id, kind, package_id, count(*) as items from changed group by task_id, kind, package_id
    ) as one left join packages on packages.id = package_id
    order by one.kind, packages.name;
  else
    insert into event_outbox (type, subject, computer_id, data)
    select 'muster.work.due', '/api/computer/' || computer_id, computer_id, jsonb_build_object('computers', 1,
      'workItems', count(*), 'computerId', computer_id, 'computerName', min(computers.name), 'taskId', task_id,
      'items', jsonb_agg(jsonb_build_object('workId', changed.id, 'kind', changed.kind, 'packageId', package_id,
        'packageName', packages.name, 'attempt', attempt) order by changed.id))
    from changed join computers on computers.id = computer_id left join packages on packages.id = package_id
    group by computer_id, task_id order by computer_id;
  end if;
  return null;
end $$;

create trigger work_record_new after insert on work
  referencing new table as changed for each statement execute function record_new_work();

-- The type of the event that a change of a work item leaves; null if it leaves none. A lease that is renewed is no news.
-- An item that fails while an agent has it was abandoned: nobody reported its result.
create function work_event_type(
  old_state text, old_attempt integer, old_progress integer, state text, attempt integer, progress integer, run_id uuid
) returns text immutable language sql as $$
  select case
    when state <> old_state or (state = 'Leased' and attempt <> old_attempt) then
      case state when 'Due' then 'muster.work.due' when 'Leased' then 'muster.work.leased'
        when 'Success' then 'muster.work.succeeded' when 'Cancelled' then 'muster.work.cancelled'
        else case when old_state = 'Leased' and run_id is not null then 'muster.work.abandoned'
          else 'muster.work.failed' end end
    when state = 'Leased' and progress is distinct from old_progress then 'muster.work.progress'
  end
$$;

create function record_changed_work() returns trigger language plpgsql as $$
begin
  if (select count(*) from (select from changed limit max_single_events() + 1) as one) > max_single_events() then
    insert into event_outbox (type, subject, data)
    select type, '/api/tasks/' || task_id, jsonb_build_object('computers', computers, 'workItems', items,
      'taskId', task_id, 'kind', one.kind, 'packageId', package_id, 'packageName', packages.name,
      'list', '/api/tasks/' || task_id)
    from (
      select work_event_type(before.state, before.attempt, before.progress, changed.state, changed.attempt,
        changed.progress, changed.run_id) as type, changed.task_id, changed.kind, changed.package_id,
        count(*) as items, count(distinct changed.computer_id) as computers
      from changed join before using (id)
      group by 1, changed.task_id, changed.kind, changed.package_id
    ) as one left join packages on packages.id = package_id
    where type is not null order by one.kind, packages.name;
  else
    insert into event_outbox (type, subject, computer_id, data)
    select type, '/api/computer/' || computer_id, computer_id, jsonb_build_object('computers', 1,
      'workItems', count(*), 'computerId', computer_id, 'computerName', min(computers.name), 'taskId', task_id,
      'items', jsonb_agg(jsonb_build_object('workId', one.id, 'kind', one.kind, 'packageId', package_id,
        'packageName', packages.name, 'attempt', attempt, 'progress', progress) order by one.id))
    from (
      select work_event_type(before.state, before.attempt, before.progress, changed.state, changed.attempt,
        changed.progress, changed.run_id) as type, changed.* from changed join before using (id)
    ) as one join computers on computers.id = computer_id left join packages on packages.id = package_id
    where type is not null
    group by type, computer_id, task_id order by computer_id, min(one.id);
  end if;
  return null;
end $$;

create trigger work_record_changed after update on work
  referencing old table as before new table as changed for each statement execute function record_changed_work();

-- Deployments: how the last work of a package ended on a computer, with the error.
create function record_deployment_event() returns trigger language plpgsql as $$
begin
  insert into event_outbox (type, subject, computer_id, data)
  select case new.result when 'Failed' then 'muster.deployment.failed' else 'muster.deployment.succeeded' end,
    '/api/computer/' || computers.id, computers.id, jsonb_build_object('computerId', computers.id,
      'computerName', computers.name, 'packageId', packages.id, 'packageName', packages.name,
      'packageVersion', packages.version, 'installationState', new.installation_state,
      'error', case new.result when 'Failed' then new.error_text end)
  from computers, packages where computers.id = new.computer_id and packages.id = new.package_id;
  return null;
end $$;

create trigger deployments_record_first_result after insert on deployments
  for each row when (new.result is not null) execute function record_deployment_event();
create trigger deployments_record_result after update on deployments
  for each row when (new.result is not null
    and (new.result, new.failed_at, new.installed_at) is distinct from (old.result, old.failed_at, old.installed_at))
  execute function record_deployment_event();

-- Tasks. They have ended when none of their work items is open, which no single transaction can know for certain: two may
-- close the last two items at the same time. So the sequencer looks after them.
create table unfinished_tasks (
  task_id uuid not null,
  constraint unfinished_tasks_pkey primary key (task_id),
  constraint unfinished_tasks_task_id_fkey foreign key (task_id) references tasks (id) on delete cascade
);

insert into unfinished_tasks
select id from tasks where exists (select from work where task_id = tasks.id and state in ('Due', 'Leased'));

create function record_new_tasks() returns trigger language plpgsql as $$
begin
  insert into unfinished_tasks select id from changed;
  insert into event_outbox (type, subject, computer_id, data)
  select 'muster.task.created', '/api/tasks/' || id, computer_id, jsonb_build_object('taskId', id, 'kind', kind,
    'computerId', computer_id, 'groupId', group_id, 'packageId', package_id)
  from changed;
  return null;
end $$;

create trigger tasks_record_new after insert on tasks
  referencing new table as changed for each statement execute function record_new_tasks();

-- Tasks whose work is still being created, in slices.
do $$
begin
  if to_regclass('sliced_activations') is null then
    create view growing_tasks as select id as task_id from tasks where false;
  else
    execute 'create view growing_tasks as select task_id from sliced_activations where finished_at is null';
  end if;
end $$;

create function finish_tasks() returns integer language plpgsql as $$
declare
  finished integer;
begin
  with ended as (
    delete from unfinished_tasks where not exists (
      select from work where work.task_id = unfinished_tasks.task_id and state in ('Due', 'Leased'))
      and not exists (select from growing_tasks growing where growing.task_id = unfinished_tasks.task_id)
    returning task_id
  )
  insert into event_outbox (type, subject, computer_id, data)
  select 'muster.task.finished', '/api/tasks/' || tasks.id, tasks.computer_id, jsonb_build_object('taskId', tasks.id,
    'kind', tasks.kind, 'computerId', tasks.computer_id, 'groupId', tasks.group_id, 'packageId', tasks.package_id,
    'workItems', jsonb_build_object('succeeded', results.succeeded, 'failed', results.failed,
      'cancelled', results.cancelled))
  from ended join tasks on tasks.id = ended.task_id cross join lateral (
    select count(*) filter (where state = 'Success') as succeeded, count(*) filter (where state = 'Failed') as failed,
      count(*) filter (where state = 'Cancelled') as cancelled
    from work where work.task_id = tasks.id
  ) as results;
  get diagnostics finished = row_count;
  return finished;
end $$;

-- Inventory: what was added to, removed from or changed in a section. A computer that is deleted leaves no such event.
create function record_inventory_event(
  section text, computer_id integer, change text, items bigint, examples jsonb
) returns void language sql as $$
  insert into event_outbox (type, subject, computer_id, data)
  select 'muster.inventory.changed', '/api/computer/' || id, id, jsonb_build_object('computerId', id,
    'computerName', name, 'section', section, 'change', change, 'count', items, 'items', examples)
  from computers where id = computer_id
$$;

-- The sections with a table of their own. The first argument is the name of the section.
create function record_inventory_rows() returns trigger language plpgsql as $$
begin
  perform record_inventory_event(tg_argv[0], one.computer_id,
    case tg_op when 'INSERT' then 'Added' else 'Removed' end, count(*),
    jsonb_agg(camel_case_properties(to_jsonb(one) - '{computer_id,position,number}'::text[])) filter (where number <= 50))
  from (select *, row_number() over (partition by computer_id) as number from changed) as one
  group by one.computer_id;
  return null;
end $$;

create function record_changed_inventory_rows() returns trigger language plpgsql as $$
begin
  perform record_inventory_event(tg_argv[0], computer_id, 'Changed', count(*),
    jsonb_agg(changes) filter (where number <= 50))
  from (
    select computer_id, changes, row_number() over (partition by computer_id) as number
    from (
      select changed.computer_id, changed_properties(to_jsonb(before), to_jsonb(changed)) as changes
      from changed join before using (computer_id, position)
    ) as compared where changes is not null
  ) as one
  group by computer_id;
  return null;
end $$;

-- The same for tables with one row per computer, which have no position.
create function record_changed_inventory_record() returns trigger language plpgsql as $$
begin
  perform record_inventory_event(tg_argv[0], computer_id, 'Changed', 1, jsonb_build_array(changes))
  from (
    select changed.computer_id, changed_properties(to_jsonb(before), to_jsonb(changed)) as changes
    from changed join before using (computer_id)
  ) as compared where changes is not null;
  return null;
end $$;

do $$
declare
  source record;
begin
  for source in
    select * from (values
      ('disk_drives', 'disks', 'rows'), ('batteries', 'batteries', 'rows'), ('printers', 'printers', 'rows'),
      ('network_adapters', 'networkAdapters', 'rows'), ('video_controllers', 'videoControllers', 'rows'),
      ('desktop_monitors', 'monitors', 'rows'), ('processors', 'processors', 'rows'),
      ('system_records', 'system', 'record'), ('security_records', 'security', 'record'),
      ('bios_records', 'bios', 'record')
    ) as one (table_name, section, form)
  loop
    execute format('create trigger %I after insert on %I referencing new table as changed
      for each statement execute function record_inventory_rows(%L)',
      source.table_name || '_record_added', source.table_name, source.section);
    execute format('create trigger %I after delete on %I referencing old table as changed
      for each statement execute function record_inventory_rows(%L)',
      source.table_name || '_record_removed', source.table_name, source.section);
    execute format('create trigger %I after update on %I referencing old table as before new table as changed
      for each statement execute function record_changed_inventory_%s(%L)',
      source.table_name || '_record_changed', source.table_name, source.form, source.section);
  end loop;
end $$;

create function record_software_events() returns trigger language plpgsql as $$
begin
  perform record_inventory_event('installedSoftware', computer_id,
    case tg_op when 'INSERT' then 'Added' else 'Removed' end, count(*),
    jsonb_agg(jsonb_build_object('productName', name, 'version', version, 'publisher', publisher) order by name)
      filter (where number <= 50))
  from (
    select changed.computer_id, product.name, product.version, product.publisher,
      row_number() over (partition by computer_id order by product.name) as number
    from changed join software_products product on product.id = changed.product_id
  ) as one
  group by computer_id;
  return null;
end $$;

create trigger installed_software_record_added after insert on installed_software
  referencing new table as changed for each statement execute function record_software_events();
create trigger installed_software_record_removed after delete on installed_software
  referencing old table as changed for each statement execute function record_software_events();

create function record_service_events() returns trigger language plpgsql as $$
begin
  perform record_inventory_event('services', computer_id,
    case tg_op when 'INSERT' then 'Added' when 'UPDATE' then 'Changed' else 'Removed' end, count(*),
    jsonb_agg(jsonb_build_object('name', name, 'status', status) order by name) filter (where number <= 50))
  from (
    select changed.computer_id, definition.name, changed.status,
      row_number() over (partition by computer_id order by definition.name) as number
    from changed join service_definitions definition on definition.id = changed.definition_id
  ) as one
  group by computer_id;
  return null;
end $$;

create trigger computer_services_record_added after insert on computer_services
  referencing new table as changed for each statement execute function record_service_events();
create trigger computer_services_record_changed after update on computer_services
  referencing new table as changed for each statement execute function record_service_events();
create trigger computer_services_record_removed after delete on computer_services
  referencing old table as changed for each statement execute function record_service_events();

-- Patches. A scan that no longer reports a missing patch also says that it is fixed.
create function record_patch_event(type text, computer_id integer, patches bigint, examples jsonb)
  returns void language sql as $$
  insert into event_outbox (type, subject, computer_id, data)
  select type, '/api/computer/' || id, id, jsonb_build_object('computerId', id, 'computerName', name,
    'count', patches, 'patches', examples, 'list', '/api/computer/' || id || '/patch-status')
  from computers where id = computer_id
$$;

create function record_scanned_patches() returns trigger language plpgsql as $$
begin
  perform record_patch_event(case tg_op when 'INSERT' then 'muster.patch.missing' else 'muster.patch.fixed' end,
    computer_id, count(*), jsonb_agg(jsonb_build_object('patchId', patch_id, 'key', key, 'product', product,
      'severity', vendor_severity) order by severity_rank desc, key) filter (where number <= 50))
  from (
    select changed.computer_id, patches.id as patch_id, patches.key, patches.vendor_severity, patches.severity_rank,
      products.name as product,
      row_number() over (partition by changed.computer_id order by patches.severity_rank desc, patches.key) as number
    from changed join patches on patches.id = changed.patch_id join patch_products products on products.id = product_id
    where changed.is_missing
  ) as one
  group by computer_id;
  return null;
end $$;

create trigger computer_patches_record_missing after insert on computer_patches
  referencing new table as changed for each statement execute function record_scanned_patches();
create trigger computer_patches_record_removed after delete on computer_patches
  referencing old table as changed for each statement execute function record_scanned_patches();

create function record_changed_patches() returns trigger language plpgsql as $$
begin
  perform record_patch_event(case when is_missing then 'muster.patch.missing' else 'muster.patch.fixed' end,
    computer_id, count(*), jsonb_agg(jsonb_build_object('patchId', patch_id, 'key', key, 'product', product,
      'severity', vendor_severity) order by severity_rank desc, key) filter (where number <= 50))
  from (
    select changed.computer_id, changed.is_missing, patches.id as patch_id, patches.key, patches.vendor_severity,
      patches.severity_rank, products.name as product, row_number() over (
        partition by changed.computer_id, changed.is_missing order by patches.severity_rank desc, patches.key) as number
    from changed join before using (computer_id, patch_id, product_id)
      join patches on patches.id = patch_id join patch_products products on products.id = product_id
    where changed.is_missing <> before.is_missing
  ) as one
  group by computer_id, is_missing;
  return null;
end $$;

create trigger computer_patches_record_changed after update on computer_patches
  referencing old table as before new table as changed for each statement execute function record_changed_patches();

create function record_patch_approval() returns trigger language plpgsql as $$
begin
  insert into event_outbox (type, subject, data)
  select case when new.approved_at is null then 'muster.patch.approval-revoked' else 'muster.patch.approved' end,
    '/api/patches/' || patches.id, jsonb_build_object('patchId', patches.id, 'key', patches.key,
      'name', patches.name, 'product', products.name, 'severity', patches.vendor_severity)
  from patches, patch_products products where patches.id = new.patch_id and products.id = new.product_id;
  return null;
end $$;

create trigger patch_links_record_approval after update on patch_links
  for each row when ((old.approved_at is null) <> (new.approved_at is null)) execute function record_patch_approval();

-- Groups. The groups of reinstalls are a detail of their work. Paths below a renamed group are no changes of their own.
create function record_group_events() returns trigger language plpgsql as $$
begin
  insert into event_outbox (type, subject, data)
  select case tg_op when 'INSERT' then 'muster.group.created' else 'muster.group.deleted' end, '/api/group/' || id,
    jsonb_build_object('groupId', id, 'groupName', name, 'tree', tree, 'path', path)
  from changed where kind <> 'Reinstall' order by id;
  return null;
end $$;

create trigger groups_record_created after insert on groups
  referencing new table as changed for each statement execute function record_group_events();
create trigger groups_record_deleted after delete on groups
  referencing old table as changed for each statement execute function record_group_events();

create function record_changed_group() returns trigger language plpgsql as $$
begin
  insert into event_outbox (type, subject, data)
  values ('muster.group.changed', '/api/group/' || new.id, jsonb_build_object('groupId', new.id, 'groupName', new.name,
    'tree', new.tree, 'changes', changed_properties(
      jsonb_build_object('name', old.name, 'description', old.description, 'parent_id', old.parent_id, 'kind', old.kind),
      jsonb_build_object('name', new.name, 'description', new.description, 'parent_id', new.parent_id, 'kind', new.kind))));
  return null;
end $$;

create trigger groups_record_changed after update on groups
  for each row when ((old.name, old.description, old.parent_id, old.kind)
    is distinct from (new.name, new.description, new.parent_id, new.kind))
  execute function record_changed_group();

-- Members. A group or computer that is deleted leaves only the event of its deletion.
create function record_member_events() returns trigger language plpgsql as $$
begin
  insert into event_outbox (type, subject, computer_id, data)
  select case tg_op when 'INSERT' then 'muster.group.computers-added' else 'muster.group.computers-removed' end,
    '/api/group/' || groups.id, case when members.count = 1 then members.first_id end,
    jsonb_build_object('groupId', groups.id, 'groupName', groups.name, 'computers', members.count,
      'computerIds', members.ids, 'list', '/api/group/' || groups.id || '/computer')
  from (
    select group_id, count(*) as count, min(computer_id) as first_id,
      jsonb_agg(computer_id order by computer_id) filter (where number <= max_single_events()) as ids
    from (
      select changed.group_id, changed.computer_id,
        row_number() over (partition by changed.group_id order by changed.computer_id) as number
      from changed join computers on computers.id = changed.computer_id
    ) as one
    group by group_id
  ) as members join groups on groups.id = members.group_id and groups.kind <> 'Reinstall';
  return null;
end $$;

create trigger group_computers_record_added after insert on group_computers
  referencing new table as changed for each statement execute function record_member_events();
create trigger group_computers_record_removed after delete on group_computers
  referencing old table as changed for each statement execute function record_member_events();

-- Assignments of something to a group. The arguments name the kind, and the column of what is assigned.
create function record_assignment_events() returns trigger language plpgsql as $$
begin
  insert into event_outbox (type, subject, data)
  select case tg_op when 'DELETE' then 'muster.assignment.removed' else 'muster.assignment.created' end,
    '/api/group/' || groups.id, jsonb_build_object('groupId', groups.id, 'groupName', groups.name,
      'kind', tg_argv[0], 'assignedId', to_jsonb(changed) ->> tg_argv[1])
  from changed join groups on groups.id = changed.group_id and groups.kind <> 'Reinstall';
  return null;
end $$;

do $$
declare
  source record;
begin
  for source in
    select * from (values
      ('group_packages', 'Package', 'package_id'), ('group_language_packs', 'LanguagePack', 'package_id'),
      ('group_software_classes', 'SoftwareClass', 'class_id'),
      ('group_agent_templates', 'AgentTemplate', 'package_id'),
      ('group_os_image_skus', 'OperatingSystem', 'sku_id'), ('group_pxe_boot_images', 'PxeBootImage', 'image_id'),
      ('group_variable_configurations', 'VariableConfiguration', 'configuration_id'),
      ('pm_group_assignments', 'PatchManagementGroup', 'pm_group_id')
    ) as one (table_name, kind, assigned)
  loop
    execute format('create trigger %I after insert on %I referencing new table as changed
      for each statement execute function record_assignment_events(%L, %L)',
      source.table_name || '_record_created', source.table_name, source.kind, source.assigned);
    execute format('create trigger %I after update on %I referencing new table as changed
      for each statement execute function record_assignment_events(%L, %L)',
      source.table_name || '_record_replaced', source.table_name, source.kind, source.assigned);
    execute format('create trigger %I after delete on %I referencing old table as changed
      for each statement execute function record_assignment_events(%L, %L)',
      source.table_name || '_record_removed', source.table_name, source.kind, source.assigned);
  end loop;
end $$;

-- Packages.
create function record_package_events() returns trigger language plpgsql as $$
begin
  insert into event_outbox (type, subject, data)
  select case tg_op when 'INSERT' then 'muster.package.imported' else 'muster.package.deleted' end,
    '/api/packages/' || id,
    jsonb_build_object('packageId', id, 'packageName', name, 'packageVersion', version, 'kind', kind)
  from changed order by name;
  return null;
end $$;

create trigger packages_record_imported after insert on packages
  referencing new table as changed for each statement execute function record_package_events();
create trigger packages_record_deleted after delete on packages
  referencing old table as changed for each statement execute function record_package_events();

create function record_changed_package() returns trigger language plpgsql as $$
begin
  insert into event_outbox (type, subject, data)
  values ('muster.package.changed', '/api/packages/' || new.id, jsonb_build_object('packageId', new.id,
    'packageName', new.name, 'packageVersion', new.version, 'kind', new.kind, 'changes', changed_properties(
      jsonb_build_object('name', old.name, 'version', old.version, 'revision', old.revision,
        'is_ready_to_install', old.is_operational, 'hash_state', old.hash_state,
        'content', encode(old.content_hash, 'hex')),
      jsonb_build_object('name', new.name, 'version', new.version, 'revision', new.revision,
        'is_ready_to_install', new.is_operational, 'hash_state', new.hash_state,
        'content', encode(new.content_hash, 'hex')))));
  return null;
end $$;

create trigger packages_record_changed after update on packages
  for each row when ((old.name, old.version, old.revision, old.is_operational, old.hash_state, old.content_hash)
    is distinct from (new.name, new.version, new.revision, new.is_operational, new.hash_state, new.content_hash))
  execute function record_changed_package();

-- Depots. The credential is named, never shown. Heartbeats are no news.
create function record_depot_event() returns trigger language plpgsql as $$
declare
  changed depots := coalesce(new, old);
begin
  insert into event_outbox (type, subject, computer_id, data)
  select case tg_op when 'INSERT' then 'muster.depot.created' when 'UPDATE' then 'muster.depot.changed'
      else 'muster.depot.deleted' end,
    '/api/depots/' || changed.computer_id, changed.computer_id, jsonb_build_object('computerId', changed.computer_id,
      'computerName', (select name from computers where id = changed.computer_id), 'url', changed.url,
      'version', changed.version, 'hasCredential', changed.secret_hash is not null);
  return null;
end $$;

create trigger depots_record_created after insert on depots for each row execute function record_depot_event();
create trigger depots_record_changed after update on depots
  for each row when ((old.url, old.version, old.secret_hash) is distinct from (new.url, new.version, new.secret_hash))
  execute function record_depot_event();
create trigger depots_record_deleted after delete on depots for each row execute function record_depot_event();

create function record_depot_sync() returns trigger language plpgsql as $$
begin
  insert into event_outbox (type, subject, computer_id, data)
  select 'muster.depot.synchronised', '/api/depots/' || computers.id, computers.id,
    jsonb_build_object('computerId', computers.id, 'computerName', computers.name, 'status', new.status,
      'packages', new.packages, 'files', new.files_transferred, 'bytes', new.bytes_transferred, 'message', new.message)
  from computers where computers.id = new.computer_id;
  return null;
end $$;

create trigger sync_jobs_record_end after update on sync_jobs
  for each row when (old.finished_at is null and new.finished_at is not null) execute function record_depot_sync();

-- Principals: never a secret or the hash of one, only that there is another.
create function record_new_principal() returns trigger language plpgsql as $$
begin
  insert into event_outbox (type, subject, data)
  values ('muster.principal.created', '/api/admin/principals/' || new.principal_id,
    jsonb_build_object('principalId', new.principal_id,
      'kind', coalesce(to_jsonb(new) ->> 'kind', to_jsonb(new) ->> 'subject_type'),
      'name', coalesce(to_jsonb(new) ->> 'client_id', to_jsonb(new) ->> 'display_name', to_jsonb(new) ->> 'subject_id')));
  return null;
end $$;

create trigger local_principals_record_created after insert on local_principals
  for each row execute function record_new_principal();
create trigger identity_principals_record_created after insert on identity_principals
  for each row execute function record_new_principal();

create function record_changed_principal() returns trigger language plpgsql as $$
begin
  insert into event_outbox (type, subject, data)
  values ('muster.principal.changed', '/api/admin/principals/' || new.principal_id,
    jsonb_build_object('principalId', new.principal_id, 'changes', changed_properties(
      to_jsonb(old) - '{principal_id,kind}'::text[], to_jsonb(new) - '{principal_id,kind}'::text[])));
  return null;
end $$;

create trigger local_principals_record_changed after update on local_principals
  for each row when (old is distinct from new) execute function record_changed_principal();
create trigger identity_principals_record_changed after update on identity_principals
  for each row when (old is distinct from new) execute function record_changed_principal();

create function record_principal_roles() returns trigger language plpgsql as $$
begin
  insert into event_outbox (type, subject, data)
  select 'muster.principal.changed', '/api/admin/principals/' || principals.id,
    jsonb_build_object('principalId', principals.id,
      case tg_op when 'INSERT' then 'rolesAdded' else 'rolesRemoved' end, jsonb_agg(changed.role order by changed.role))
  from changed join principals on principals.id = changed.principal_id
  group by principals.id;
  return null;
end $$;

create trigger principal_roles_record_added after insert on principal_roles
  referencing new table as changed for each statement execute function record_principal_roles();
create trigger principal_roles_record_removed after delete on principal_roles
  referencing old table as changed for each statement execute function record_principal_roles();

create function record_principal_secrets() returns trigger language plpgsql as $$
begin
  insert into event_outbox (type, subject, data)
  select 'muster.principal.changed', '/api/admin/principals/' || principals.id,
    jsonb_build_object('principalId', principals.id,
      case tg_op when 'INSERT' then 'secretsAdded' else 'secretsRemoved' end, count(*))
  from changed join principals on principals.id = changed.principal_id
  group by principals.id;
  return null;
end $$;

create trigger principal_secrets_record_added after insert on principal_secrets
  referencing new table as changed for each statement execute function record_principal_secrets();
create trigger principal_secrets_record_removed after delete on principal_secrets
  referencing old table as changed for each statement execute function record_principal_secrets();

create function record_deleted_principal() returns trigger language plpgsql as $$
begin
  insert into event_outbox (type, subject, data)
  values ('muster.principal.deleted', '/api/admin/principals/' || old.id,
    jsonb_build_object('principalId', old.id, 'kind', old.kind));
  return null;
end $$;

create trigger principals_record_deleted after delete on principals
  for each row execute function record_deleted_principal();

-- Sign-ins and token requests, as the audit trail has them: of those that repeat within an hour, the first.
create function record_sign_in() returns trigger language plpgsql as $$
begin
  insert into event_outbox (type, subject, data)
  values (case when new.status >= 400 then 'muster.sign-in.failed' else 'muster.sign-in.succeeded' end, new.target,
    jsonb_build_object('principalId', new.principal_id, 'principalName', new.principal_name,
      'method', case new.operation when 'requestToken' then 'Token' else 'Console' end,
      'address', new.request ->> 'address', 'status', new.status));
  return null;
end $$;

create trigger audit_entries_record_sign_in after insert on audit_entries
  for each row when (new.operation in ('signIn', 'requestToken')) execute function record_sign_in();

create function record_audit_anchor() returns trigger language plpgsql as $$
begin
  insert into event_outbox (type, subject, data)
  values ('muster.audit.anchored', '/api/audit',
    jsonb_build_object('takenAtUtc', to_char(new.taken_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'document', new.document));
  return null;
end $$;

create trigger audit_anchors_record_new after insert on audit_anchors
  for each row execute function record_audit_anchor();

-- Which computers had which issue when the issues were last evaluated. The differences are the events: an agent that
-- becomes silent, for example, writes nothing.
create table issue_findings (
  issue text not null,
  -- No foreign key, which would lock the computer. Rows of deleted computers are gone with the next evaluation.
  computer_id integer not null,
  found_at timestamptz not null default now(),
  constraint issue_findings_pkey primary key (issue, computer_id)
);

-- All nodes share the pace of the evaluation.
create table issue_evaluation (
  singleton boolean not null default true,
  due_at timestamptz not null default now(),
  constraint issue_evaluation_pkey primary key (singleton),
  constraint issue_evaluation_singleton_check check (singleton)
);

insert into issue_evaluation default values;

create function record_issue_events() returns trigger language plpgsql as $$
begin
  if (select count(*) from (select from changed limit max_single_events() + 1) as one) > max_single_events() then
    insert into event_outbox (type, subject, data)
    select case tg_op when 'INSERT' then 'muster.issue.appeared' else 'muster.issue.cleared' end,
      '/api/computer/issues/' || issue, jsonb_build_object('issue', issue, 'computers', count(*),
        'list', '/api/computer/issues/' || issue)
    from changed join computers on computers.id = computer_id group by issue;
  else
    insert into event_outbox (type, subject, computer_id, data)
    select case tg_op when 'INSERT' then 'muster.issue.appeared' else 'muster.issue.cleared' end,
      '/api/computer/' || id, id,
      jsonb_build_object('issue', issue, 'computers', 1, 'computerId', id, 'computerName', name)
    from changed join computers on computers.id = computer_id;
  end if;
  -- An agent that is silent or back is also an event of its computer.
  if not exists (select from changed where issue = 'stale-agent') then return null; end if;
  if (select count(*) from changed where issue = 'stale-agent') > max_single_events() then
    insert into event_outbox (type, subject, data)
    select case tg_op when 'INSERT' then 'muster.computer.silent' else 'muster.computer.back' end,
      '/api/computer', jsonb_build_object('computers', count(*), 'list', '/api/computer/issues/stale-agent')
    from changed join computers on computers.id = computer_id where issue = 'stale-agent';
  else
    insert into event_outbox (type, subject, computer_id, data)
    select case tg_op when 'INSERT' then 'muster.computer.silent' else 'muster.computer.back' end,
      '/api/computer/' || id, id, jsonb_build_object('computers', 1, 'computerId', id, 'computerName', name)
    from changed join computers on computers.id = computer_id where issue = 'stale-agent';
  end if;
  return null;
end $$;

create trigger issue_findings_record_appeared after insert on issue_findings
  referencing new table as changed for each statement execute function record_issue_events();
create trigger issue_findings_record_cleared after delete on issue_findings
  referencing old table as changed for each statement execute function record_issue_events();

-- Rollouts. Their tables come with a migration of their own, which may be missing in a development database.
create function record_rollout_event() returns trigger language plpgsql as $$
begin
  insert into event_outbox (type, subject, data)
  values (case when tg_op = 'INSERT' then 'muster.rollout.created' else case new.state
      when 'Running' then 'muster.rollout.resumed' when 'Paused' then 'muster.rollout.paused'
      when 'CatchingUp' then 'muster.rollout.catching-up' when 'Completed' then 'muster.rollout.completed'
      else 'muster.rollout.cancelled' end end,
    '/api/rollouts/' || new.id, jsonb_build_object('rolloutId', new.id, 'rolloutName', new.name, 'state', new.state,
      'groupId', new.group_id, 'packageId', new.package_id, 'pause', new.pause));
  return null;
end $$;

create function record_rollout_ring_event() returns trigger language plpgsql as $$
begin
  insert into event_outbox (type, subject, data)
  select case new.state when 'Done' then 'muster.rollout.ring-done' else 'muster.rollout.ring-opened' end,
    '/api/rollouts/' || rollouts.id, jsonb_build_object('rolloutId', rollouts.id, 'rolloutName', rollouts.name,
      'ring', new.ring, 'ringName', new.name, 'counts', new.counts)
  from rollouts where rollouts.id = new.rollout_id;
  return null;
end $$;

do $$
begin
  if to_regclass('rollouts') is null then return; end if;
  create trigger rollouts_record_created after insert on rollouts
    for each row execute function record_rollout_event();
  create trigger rollouts_record_state after update on rollouts
    for each row when (old.state <> new.state) execute function record_rollout_event();
  create trigger rollout_rings_record_state after update on rollout_rings
    for each row when (old.state <> new.state and new.state <> 'Waiting') execute function record_rollout_ring_event();
end $$;
