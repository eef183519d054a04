-- Written by `npm run generate` from the rule in server/src/features/assignments/required-packages.ts. Do not edit.
--
-- What a requirement of a package brings to a computer: its state, and the package that is pulled in, if any is.
create or replace function required_package(of_computer integer, of_name text, of_pulls boolean)
returns table (package_id uuid, state text) rows 1 language plpgsql stable as $$
#variable_conflict use_column
begin
  return query 
  select case when decided.state = 'Pulled' then decided.id end, decided.state
  from (
    select best.id, case
      when (exists (
  select from packages version join deployments installed
    on installed.package_id = version.id and installed.computer_id = above.computer_id
  where lower("version"."package_name") = lower(needed.required_name) and installed.installation_state = 'Installed')
  or exists (
    select from package_supersedes taken_over join deployments installed
      on installed.package_id = taken_over.package_id and installed.computer_id = above.computer_id
    where lower(taken_over.superseded_name) = lower(needed.required_name) and installed.installation_state = 'Installed')) or exists (
  select from packages version
    join (
      select group_id, package_id from group_packages
      union all
      select class.group_id, member.package_id
      from group_software_classes class join software_class_packages member on member.class_id = class.class_id
    ) as assigned on assigned.package_id = version.id
    join group_ancestors ancestry on ancestry.ancestor_id = assigned.group_id
    join effective_memberships own on own.group_id = ancestry.descendant_id and own.computer_id = above.computer_id
  where lower("version"."package_name") = lower(needed.required_name) and (not ((
      "version"."for_systems" is not null
        and not coalesce("version"."for_systems" && "platform"."system_names", true)
      or "version"."for_image_systems" is not null
        and not coalesce("version"."for_image_systems" && "platform"."system_names", true)) or not coalesce("version"."for_server" = "platform"."is_server", true) or (
    "version"."for_architecture" is not null and not coalesce(case when "version"."kind" = 'LanguagePack'
      then "version"."for_architecture" = "platform"."system_architecture"
      else processor_family("version"."for_architecture") = "platform"."processor" end, true)) or (
      coalesce("version"."kind" in ('OperatingSystem', 'PxeBootImage'), false) and not "platform"."pxe_support")) and case when "version"."conditions" is not null
    then unmet_condition("version"."conditions", "platform"."computer_id") end is null)) then 'Met'
      when best.id is null then 'Unknown'
      when not needed.pulls then 'Awaited'
      when best.is_applicable then 'Pulled'
      else 'NotApplicable' end as state
    from (select of_computer as computer_id) as above
      cross join (select of_name as required_name, of_pulls as pulls) as needed
      join computer_platforms platform on platform.computer_id = above.computer_id
      left join lateral (
        select version.id, (not ((
      "version"."for_systems" is not null
        and not coalesce("version"."for_systems" && "platform"."system_names", true)
      or "version"."for_image_systems" is not null
        and not coalesce("version"."for_image_systems" && "platform"."system_names", true)) or not coalesce("version"."for_server" = "platform"."is_server", true) or (
    "version"."for_architecture" is not null and not coalesce(case when "version"."kind" = 'LanguagePack'
      then "version"."for_architecture" = "platform"."system_architecture"
      else processor_family("version"."for_architecture") = "platform"."processor" end, true)) or (
      coalesce("version"."kind" in ('OperatingSystem', 'PxeBootImage'), false) and not "platform"."pxe_support")) and case when "version"."conditions" is not null
    then unmet_condition("version"."conditions", "platform"."computer_id") end is null) as is_applicable
        from packages version where lower("version"."package_name") = lower(needed.required_name) and "version"."kind" = 'Software' and not "version"."is_pre_os"
        order by is_applicable desc, ("version"."is_operational" and "version"."hash_state" = 'Current') desc, version_numbers(version.version) desc,
          version.imported_at desc nulls last, version.id
        limit 1
      ) as best on true
  ) as decided;
end $$;

-- What a package requires on a computer, and is for other ones, by its name; null if there is none.
create or replace function unmet_requirement(of_computer integer, of_package uuid) returns text language plpgsql stable as $$
begin
  return (
  with recursive 
    required (computer_id, root_id, parent_id, required_name, package_id, state) as (
      select above.computer_id, above.package_id, needed.package_id, needed.required_name, chosen.package_id, chosen.state
      from (select of_computer as computer_id, of_package as package_id) as above 
      join package_requirements needed on needed.package_id = above.package_id
      cross join lateral required_package(above.computer_id, needed.required_name, needed.pulls) as chosen
      union
      select above.computer_id, above.root_id, needed.package_id, needed.required_name, chosen.package_id, chosen.state
      from required above 
      join package_requirements needed on needed.package_id = above.package_id
      cross join lateral required_package(above.computer_id, needed.required_name, needed.pulls) as chosen
    )
  select min(required.required_name) from required where required.state = 'NotApplicable');
end $$;
