-- The packages of all assignments of groups: of the package itself, of a class that contains it, or of a part of it.
-- single_kind is the kind of the package if a computer can have only one package of that kind.
create view assigned_packages as
  select group_id, package_id, null::text as single_kind from group_packages
  union all
  select group_id, package_id, null from group_language_packs
  union all
  select assignment.group_id, member.package_id, null
  from group_software_classes assignment join software_class_packages member on member.class_id = assignment.class_id
  union all
  select group_id, package_id, 'AgentTemplate' from group_agent_templates
  union all
  select assignment.group_id, sku.package_id, 'OperatingSystem'
  from group_os_image_skus assignment join os_image_skus sku on sku.id = assignment.sku_id
  union all
  select assignment.group_id, image.package_id, 'PxeBootImage'
  from group_pxe_boot_images assignment join pxe_boot_images image on image.id = assignment.image_id;

-- The packages that give an OU to the computers that get them.
create view ou_packages as
  select packages.id as package_id, packages.kind
  from package_variables stored join packages on packages.id = stored.package_id
  where stored.variable_id = ou_variable_id();

-- The groups that give their computers an OU, directly or by a configuration or package. A package of which a computer
-- can have only one also counts without an OU: it may displace one that has an OU.
create or replace function list_ou_groups() returns table (group_id uuid) stable language sql as $$
  select group_id from group_variables where variable_id = ou_variable_id()
  union all
  select group_id from group_variable_configurations join variable_configuration_values using (configuration_id)
  where variable_id = ou_variable_id()
  union all
  select group_id from ou_packages join assigned_packages using (package_id)
  union all
  select group_id from assigned_packages where single_kind = any (array(select kind from ou_packages))
$$;

-- Replaces the function of all these triggers with one function for each kind of change.
drop trigger computer_variables_record_change on computer_variables;
drop trigger group_variables_record_change on group_variables;
drop trigger variable_configuration_values_record_change on variable_configuration_values;
drop trigger package_variables_record_change on package_variables;
drop trigger group_variable_configurations_record_change on group_variable_configurations;
drop trigger group_packages_record_change on group_packages;
drop function record_ou_change();

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

-- An assignment to a group of something that contains packages or values, or a change of what a software class contains.
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

-- The changes of the OU that no writer makes: the value of a computer, of a group or of a configuration begins to count.
-- They are not stored, because they follow from the schedules: who changes or deletes one, or leaves a group, changes them.
-- First the groups whose computers are concerned, as are those of the groups below; then all computers.
create view scheduled_ou_groups as
  select group_id, effective_from as changed_at
  from group_variables
  where variable_id = ou_variable_id() and effective_from <= now()
  union all
  select assignment.group_id, stored.effective_from
  from group_variable_configurations assignment join variable_configuration_values stored using (configuration_id)
  where stored.variable_id = ou_variable_id() and stored.effective_from <= now();

create view scheduled_ou_changes as
  select computer_id, effective_from as changed_at
  from computer_variables
  where variable_id = ou_variable_id() and effective_from <= now()
  union all
  select member.computer_id, source.changed_at
  from scheduled_ou_groups source
    join group_ancestors below on below.ancestor_id = source.group_id
    join group_computers member on member.group_id = below.descendant_id;

create index computer_variables_effective_from_idx on computer_variables (variable_id, effective_from)
  where effective_from is not null;

-- Changes by packages of classes, templates and images were not recorded until now: report these computers once.
select record_changes_below(array(select group_id from ou_packages join assigned_packages using (package_id)));
