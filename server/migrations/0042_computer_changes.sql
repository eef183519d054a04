-- The list of computers also shows what other tables determine: the serial number, the effective OU, whether PXE is
-- active, and which custom fields are active. A change of one of these is recorded here, so that `modifiedAfter` finds it.
-- Rows are only added, so that no writer waits for another. Of each computer, only the newest row matters.
create table computer_changes (
  id bigint generated always as identity,
  -- No foreign key: a key would lock the computer for every writer. Rows of deleted computers are purged.
  computer_id integer not null,
  changed_at timestamptz not null default clock_timestamp(),
  constraint computer_changes_pkey primary key (id)
);

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

create function record_pxe_updates() returns trigger language plpgsql as $$
begin
  insert into computer_changes (computer_id)
  select distinct changed.computer_id from changed join before using (id) where changed.pxe <> before.pxe;
  return null;
end $$;

create trigger activations_record_insert after insert on activations
  referencing new table as changed for each statement execute function record_pxe_changes();
create trigger activations_record_update after update on activations
  referencing old table as before new table as changed for each statement execute function record_pxe_updates();
create trigger activations_record_delete after delete on activations
  referencing old table as changed for each statement execute function record_pxe_changes();

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

-- The groups that give their computers an OU, directly or by a configuration or package.
create function list_ou_groups() returns table (group_id uuid) stable language sql as $$
  select group_id from group_variables where variable_id = ou_variable_id()
  union all
  select group_id from group_variable_configurations join variable_configuration_values using (configuration_id)
  where variable_id = ou_variable_id()
  union all
  select group_id from group_packages join package_variables using (package_id) where variable_id = ou_variable_id()
$$;

create function record_changes_below(group_ids uuid[]) returns void language sql as $$
  insert into computer_changes (computer_id)
  select distinct member.computer_id
  from group_ancestors below join group_computers member on member.group_id = below.descendant_id
  where below.ancestor_id = any(group_ids)
$$;

create function record_ou_change() returns trigger language plpgsql as $$
declare
  changed record;
begin
  if tg_op = 'DELETE' then changed := old; else changed := new; end if;
  if tg_table_name in ('group_variable_configurations', 'group_packages') then
    if tg_table_name = 'group_packages' then
      perform from package_variables where package_id = changed.package_id and variable_id = ou_variable_id();
    else
      perform from variable_configuration_values
      where configuration_id = changed.configuration_id and variable_id = ou_variable_id();
    end if;
    if found then perform record_changes_below(array[changed.group_id]); end if;
  elsif changed.variable_id <> ou_variable_id() then
    return null;
  elsif tg_table_name = 'computer_variables' then
    insert into computer_changes (computer_id) select id from computers where id = changed.computer_id;
  elsif tg_table_name = 'group_variables' then
    perform record_changes_below(array[changed.group_id]);
  elsif tg_table_name = 'variable_configuration_values' then
    perform record_changes_below(array(
      select group_id from group_variable_configurations where configuration_id = changed.configuration_id));
  else
    perform record_changes_below(array(select group_id from group_packages where package_id = changed.package_id));
  end if;
  return null;
end $$;

create trigger computer_variables_record_change after insert or update or delete on computer_variables
  for each row execute function record_ou_change();
create trigger group_variables_record_change after insert or update or delete on group_variables
  for each row execute function record_ou_change();
create trigger variable_configuration_values_record_change
  after insert or update or delete on variable_configuration_values
  for each row execute function record_ou_change();
create trigger package_variables_record_change after insert or update or delete on package_variables
  for each row execute function record_ou_change();
create trigger group_variable_configurations_record_change after insert or delete on group_variable_configurations
  for each row execute function record_ou_change();
create trigger group_packages_record_change after insert or delete on group_packages
  for each row execute function record_ou_change();

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
