-- A change that `modifiedAfter` has to find although no column of `computers` has changed: the serial number, the
-- effective OU, whether PXE is active, and which custom fields are active are in other tables. Rows are only added, so
-- no writer waits for another. Only the newest row of each computer matters.
create table computer_changes (
  id bigint generated always as identity,
  -- No foreign key: a key would lock the computer for every writer. Rows of deleted computers are purged.
  computer_id integer not null,
  changed_at timestamptz not null default clock_timestamp(),
  constraint computer_changes_pkey primary key (id)
);

-- The newest change of a computer, and the computers that changed after a time.
create index computer_changes_computer_id_idx on computer_changes (computer_id, changed_at);
create index computer_changes_changed_at_idx on computer_changes (changed_at, computer_id);

create function record_serial_number_change() returns trigger language plpgsql as $$
begin
  insert into computer_changes (computer_id)
  select id from computers where id = coalesce(new.computer_id, old.computer_id);
  return null;
end $$;

create trigger bios_records_record_insert after insert on bios_records
  for each row when (new.serial_number is not null) execute function record_serial_number_change();
create trigger bios_records_record_update after update on bios_records
  for each row when (old.serial_number is distinct from new.serial_number) execute function record_serial_number_change();
create trigger bios_records_record_delete after delete on bios_records
  for each row when (old.serial_number is not null) execute function record_serial_number_change();

-- Activations are written for many computers at once, so their triggers run once per statement.
create function record_pxe_changes() returns trigger language plpgsql as $$
begin
  insert into computer_changes (computer_id)
  select id from computers where id in (select computer_id from changed where pxe);
  return null;
end $$;

create trigger activations_record_insert after insert on activations
  referencing new table as changed for each statement execute function record_pxe_changes();
create trigger activations_record_delete after delete on activations
  referencing old table as changed for each statement execute function record_pxe_changes();

create function record_pxe_updates() returns trigger language plpgsql as $$
begin
  insert into computer_changes (computer_id)
  select distinct changed.computer_id from changed join before using (id) where changed.pxe <> before.pxe;
  return null;
end $$;

create trigger activations_record_update after update on activations
  referencing old table as before new table as changed for each statement execute function record_pxe_updates();

create function record_changes_of_all_computers() returns trigger language plpgsql as $$
begin
  insert into computer_changes (computer_id) select id from computers;
  return null;
end $$;

create trigger custom_fields_record_update after update on custom_fields
  for each row when (old.is_active <> new.is_active) execute function record_changes_of_all_computers();
create trigger variable_definitions_record_update after update on variable_definitions
  for each row when (
    lower(new.dotted_name) = 'domainjoin.ouforcomputeraccounts' and old.default_value is distinct from new.default_value
  ) execute function record_changes_of_all_computers();

-- The OU is the effective value of a variable. What can change it is recorded whether or not the value is another one
-- afterwards: to compare, the variable would have to be resolved twice.
create function ou_variable_id() returns integer stable language sql as $$
  select id from variable_definitions where lower(dotted_name) = 'domainjoin.ouforcomputeraccounts'
$$;

-- The packages that give an OU to the computers that get them.
create view ou_packages as
  select packages.id as package_id, packages.kind
  from package_variables stored join packages on packages.id = stored.package_id
  where stored.variable_id = ou_variable_id();

-- The groups that give their computers an OU, directly or by a configuration or package. A package of which a computer
-- can have only one also counts without an OU: it may displace one that has an OU.
create function list_ou_groups() returns table (group_id uuid) stable language sql as $$
  select group_id from group_variables where variable_id = ou_variable_id()
  union all
  select group_id from group_variable_configurations join variable_configuration_values using (configuration_id)
  where variable_id = ou_variable_id()
  union all
  select group_id from ou_packages join assigned_packages using (package_id)
  union all
  select group_id from assigned_packages where single_kind = any (array(select kind from ou_packages))
$$;

-- Changes of the OU without a writer: the value of a computer, of a group or of a configuration takes effect. They
-- are not stored, because they follow from the schedules. This view has the groups whose computers are concerned, as
-- are those of the groups below.
create view scheduled_ou_groups as
  select group_id, effective_from as changed_at
  from group_variables
  where variable_id = ou_variable_id() and effective_from <= now()
  union all
  select assignment.group_id, stored.effective_from
  from group_variable_configurations assignment join variable_configuration_values stored using (configuration_id)
  where stored.variable_id = ou_variable_id() and stored.effective_from <= now();

-- The same for all computers below these groups.
create view scheduled_ou_changes as
  select computer_id, effective_from as changed_at
  from computer_variables
  where variable_id = ou_variable_id() and effective_from <= now()
  union all
  select member.computer_id, source.changed_at
  from scheduled_ou_groups source
    join group_ancestors below on below.ancestor_id = source.group_id
    join group_computers member on member.group_id = below.descendant_id;

create function record_changes_below(group_ids uuid[]) returns void language sql as $$
  insert into computer_changes (computer_id)
  select distinct member.computer_id
  from group_ancestors below join group_computers member on member.group_id = below.descendant_id
  where below.ancestor_id = any(group_ids)
$$;

-- A value or default of the OU.
create function record_value_change() returns trigger language plpgsql as $$
declare
  changed record := coalesce(new, old);
begin
  if changed.variable_id <> ou_variable_id() then return null; end if;
  case tg_table_name
    when 'computer_variables' then
      insert into computer_changes (computer_id) select id from computers where id = changed.computer_id;
    when 'group_variables' then
      perform record_changes_below(array[changed.group_id]);
    when 'variable_configuration_values' then
      perform record_changes_below(array(
        select group_id from group_variable_configurations where configuration_id = changed.configuration_id));
    when 'package_variables' then
      perform record_changes_below(array(
        select group_id from assigned_packages where package_id = changed.package_id));
  end case;
  return null;
end $$;

create trigger computer_variables_record_change after insert or update or delete on computer_variables
  for each row execute function record_value_change();
create trigger group_variables_record_change after insert or update or delete on group_variables
  for each row execute function record_value_change();
create trigger variable_configuration_values_record_change
  after insert or update or delete on variable_configuration_values
  for each row execute function record_value_change();
create trigger package_variables_record_change after insert or update or delete on package_variables
  for each row execute function record_value_change();

-- An assignment to a group of something that contains packages or values, or a change of what a software class
-- contains.
create function record_assignment_change() returns trigger language plpgsql as $$
declare
  changed record := coalesce(new, old);
begin
  case tg_table_name
    when 'group_variable_configurations' then
      perform from variable_configuration_values
      where configuration_id = changed.configuration_id and variable_id = ou_variable_id();
    when 'group_software_classes' then
      perform from software_class_packages join ou_packages using (package_id) where class_id = changed.class_id;
    else
      perform from ou_packages where package_id = changed.package_id;
  end case;
  if not found then return null; end if;
  if tg_table_name = 'software_class_packages' then
    perform record_changes_below(array(
      select group_id from group_software_classes where class_id = changed.class_id));
  else
    perform record_changes_below(array[changed.group_id]);
  end if;
  return null;
end $$;

create trigger group_variable_configurations_record_change
  after insert or update or delete on group_variable_configurations
  for each row execute function record_assignment_change();
create trigger group_packages_record_change after insert or update or delete on group_packages
  for each row execute function record_assignment_change();
create trigger group_language_packs_record_change after insert or update or delete on group_language_packs
  for each row execute function record_assignment_change();
create trigger group_software_classes_record_change after insert or update or delete on group_software_classes
  for each row execute function record_assignment_change();
create trigger software_class_packages_record_change after insert or update or delete on software_class_packages
  for each row execute function record_assignment_change();

-- An assignment of which a group has only one. It may displace another one, so it counts if any package of the kind has
-- an OU. The edition or boot image is not looked up: when it is deleted, its assignments are deleted after it.
create function record_single_assignment_change() returns trigger language plpgsql as $$
begin
  if exists (select from ou_packages where kind = tg_argv[0]) then
    perform record_changes_below(array[coalesce(new.group_id, old.group_id)]);
  end if;
  return null;
end $$;

create trigger group_agent_templates_record_change after insert or update or delete on group_agent_templates
  for each row execute function record_single_assignment_change('AgentTemplate');
create trigger group_os_image_skus_record_change after insert or update or delete on group_os_image_skus
  for each row execute function record_single_assignment_change('OperatingSystem');
create trigger group_pxe_boot_images_record_change after insert or update or delete on group_pxe_boot_images
  for each row execute function record_single_assignment_change('PxeBootImage');

-- A computer that joins or leaves a group, other than for a reinstall, may get another OU from the groups above.
create function record_membership_changes() returns trigger language plpgsql as $$
begin
  insert into computer_changes (computer_id)
  select id from computers where id in (
    select changed.computer_id
    from changed join groups on groups.id = changed.group_id and groups.kind <> 'Reinstall'
    where exists (
      select from group_ancestors above join list_ou_groups() as source on source.group_id = above.ancestor_id
      where above.descendant_id = changed.group_id));
  return null;
end $$;

create trigger group_computers_record_insert after insert on group_computers
  referencing new table as changed for each statement execute function record_membership_changes();
create trigger group_computers_record_delete after delete on group_computers
  referencing old table as changed for each statement execute function record_membership_changes();

-- Before the deletion, because memberships and values go with the group.
create function record_group_deletion() returns trigger language plpgsql as $$
begin
  if exists (
    select from list_ou_groups() as source where source.group_id in (
      select ancestor_id from group_ancestors where descendant_id = old.id
      union all
      select descendant_id from group_ancestors where ancestor_id = old.id))
  then perform record_changes_below(array[old.id]); end if;
  return old;
end $$;

create trigger groups_record_delete before delete on groups
  for each row when (old.kind <> 'Reinstall') execute function record_group_deletion();

-- Of groups at the same distance, the order of their paths decides, so a new name can change the OU.
create function record_group_rename() returns trigger language plpgsql as $$
begin
  if exists (
    select from list_ou_groups() as source
      join group_ancestors below on below.ancestor_id = new.id and below.descendant_id = source.group_id)
  then perform record_changes_below(array[new.id]); end if;
  return null;
end $$;

create trigger groups_record_rename after update of name on groups
  for each row when (old.name <> new.name) execute function record_group_rename();

-- The groups above a group can give its computers an OU, so a move can change it. By then group_ancestors has the new
-- place.
create function record_group_move() returns trigger language plpgsql as $$
begin
  if exists (
    select from list_ou_groups() as source where source.group_id in (
      select ancestor_id from group_ancestors where descendant_id in (old.parent_id, new.parent_id)
      union all
      select descendant_id from group_ancestors where ancestor_id = new.id))
  then perform record_changes_below(array[new.id]); end if;
  return null;
end $$;

create trigger groups_record_move after update of parent_id on groups
  for each row when (old.parent_id is distinct from new.parent_id) execute function record_group_move();
