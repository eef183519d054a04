-- Written by `npm run generate` from the rule in server/src/features/variable-resolution. Do not edit.
--
-- The effective value of a variable for a computer; null if it has none or a sealed one.
create or replace function effective_variable(of_computer integer, of_variable integer) returns text language sql stable as $$
  select value from (
    with 
    owners as (select of_computer as owner_id),
      variables as (select of_variable as variable_id where of_variable is not null),
      reached as not materialized (
    select owner.owner_id, above.ancestor_id as group_id, above.distance
    from "owners" owner
      join effective_memberships member on member.computer_id = owner.owner_id
      join group_ancestors above on above.descendant_id = member.group_id),
      candidates as (
        select reached.owner_id, stored.variable_id, stored.value, stored.sealed_value, stored.schedule,
          reached.group_id,
          case when stored.is_forced then 'forced' else 'group' end as source,
          case when stored.is_forced then 1 else 3 end as tier,
          reached.distance, 0 as configuration_id, null::uuid as package_id
        from reached
          join group_variables stored on stored.group_id = reached.group_id and ("stored"."effective_from" is null or "stored"."effective_from" <= now())
          join variables using (variable_id)
        union all
        select reached.owner_id, stored.variable_id, stored.value, null, stored.schedule, reached.group_id,
          'configuration', 3, reached.distance, stored.configuration_id, null
        from reached
          join group_variable_configurations assignment on assignment.group_id = reached.group_id
          join variable_configuration_values stored
            on stored.configuration_id = assignment.configuration_id and ("stored"."effective_from" is null or "stored"."effective_from" <= now())
          join variables using (variable_id)
        union all 
    select stored.computer_id, stored.variable_id, stored.value, stored.sealed_value, stored.schedule, null,
      'computer', 2, 0, 0, null
    from "owners" owner
      join computer_variables stored on stored.computer_id = owner.owner_id and ("stored"."effective_from" is null or "stored"."effective_from" <= now())
      join "variables" variable using (variable_id)
    union all
    select owner_id, variable_id, value, null, null, group_id, 'package', 4, distance, 0, package_id
    from (
    with assignments as materialized (
    select group_id, package_id, single_kind, null as tree, null as path
    from assigned_packages
    where single_kind is null and package_id = any (array(select package_id from package_variables join "variables" variable using (variable_id)))
    union all
    select assignment.group_id, assignment.package_id, assignment.single_kind, assigning.tree, assigning.path
    from assigned_packages assignment join groups assigning on assigning.id = assignment.group_id
    where assignment.single_kind = any (array(
      select packages.kind from package_variables join "variables" variable using (variable_id) join packages on packages.id = package_variables.package_id))),
      placed as (
        select reached_group.owner_id, reached_group.group_id, reached_group.distance, assignment.package_id,
          case when assignment.single_kind is null then 1 else rank() over (
            partition by reached_group.owner_id, assignment.single_kind
            order by reached_group.distance, assignment.tree <> 'ConfigurationGroups', assignment.path collate "C"
          ) end as place
        from "reached" reached_group join assignments assignment using (group_id)
      )
    select placed.owner_id, placed.group_id, placed.distance, placed.package_id, stored.variable_id, stored.value
    from placed
      join package_variables stored using (package_id)
      join "variables" variable using (variable_id)
    where placed.place = 1) as defaults
        union all
        select owners.owner_id, definition.id, definition.default_value, null, null, null, 'default', 5, 0, 0, null
        from owners cross join variables
          join variable_definitions definition on definition.id = variables.variable_id
        where definition.default_value is not null
      )
    select distinct on (owner_id, variable_id)
      owner_id, variable_id, value, sealed_value, schedule, source, group_id
    from candidates left join groups on groups.id = candidates.group_id
    order by owner_id, variable_id, tier, case when source = 'forced' then groups.depth else distance end,
  groups.tree <> 'ConfigurationGroups', groups.path collate "C", configuration_id, package_id) as effective
$$;
