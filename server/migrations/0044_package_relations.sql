-- The numbers in a version, in their order: 1.10.2-beta is {1,10,2}. Arrays of numbers compare as versions do.
create function version_numbers(version text) returns numeric[] language sql immutable parallel safe as $$
  select coalesce(array_agg(found[1]::numeric order by place), '{}')
  from regexp_matches(coalesce(version, ''), '[0-9]+', 'g') with ordinality as number (found, place)
$$;

-- Whether a JSON array contains a text, ignoring case; null if one of the two is null.
create function has_text(list jsonb, wanted text) returns boolean language sql immutable parallel safe as $$
  select case when list is not null and wanted is not null then exists (
    select from jsonb_array_elements_text(list) as listed (item) where lower(item) = lower(wanted)) end
$$;

-- Whether a required package that a computer lacks is pulled in. Packages that were imported before this migration go on waiting for
-- what they require: an upgrade of the service must not deploy packages that were never assigned.
alter table package_requirements add column pulls boolean not null default false;
alter table package_requirements alter column pulls set default true;

-- A package that another one takes the place of, by its name. Either the installer of the new one replaces it, or it is uninstalled
-- first.
create table package_supersedes (
  package_id uuid not null,
  superseded_name text not null,
  uninstalls_first boolean not null,
  constraint package_supersedes_pkey primary key (package_id, superseded_name),
  constraint package_supersedes_package_id_fkey foreign key (package_id) references packages (id) on delete cascade
);

create index package_supersedes_name_idx on package_supersedes (lower(superseded_name));

-- Which packages a package may bring work with: it pulls them in by name, directly or through other packages, or they are
-- uninstalled before it. All versions of them: which one it is on a computer is decided when that is activated.
create table package_pulls (
  package_id uuid not null,
  pulled_id uuid not null,
  constraint package_pulls_pkey primary key (package_id, pulled_id),
  constraint package_pulls_package_id_fkey foreign key (package_id) references packages (id) on delete cascade,
  constraint package_pulls_pulled_id_fkey foreign key (pulled_id) references packages (id) on delete cascade
);

-- What pulls a package in (assigned_packages).
create index package_pulls_pulled_id_idx on package_pulls (pulled_id, package_id);

create function refresh_package_pulls() returns trigger language plpgsql as $$
begin
  if not exists (select from package_requirements where pulls) and not exists (select from package_supersedes)
    and not exists (select from package_pulls) then
    return null;
  end if;
  with recursive direct as materialized (
    select needed.package_id, required.id as pulled_id
    from package_requirements needed join packages required on lower(required.package_name) = lower(needed.required_name)
    where needed.pulls
    union all
    select later.package_id, earlier.id
    from package_supersedes later join packages earlier on lower(earlier.package_name) = lower(later.superseded_name)
    where later.uninstalls_first
  ), reached as (
    select package_id, pulled_id from direct
    union
    select reached.package_id, direct.pulled_id from reached join direct on direct.package_id = reached.pulled_id
  ), ended as (
    delete from package_pulls stored
    where not exists (
      select from reached where reached.package_id = stored.package_id and reached.pulled_id = stored.pulled_id)
  )
  insert into package_pulls (package_id, pulled_id) select package_id, pulled_id from reached on conflict do nothing;
  return null;
end $$;

create trigger packages_refresh_pulls after insert on packages
  for each statement execute function refresh_package_pulls();
create trigger package_supersedes_refresh_pulls after insert or update or delete on package_supersedes
  for each statement execute function refresh_package_pulls();
create trigger package_requirements_refresh_pulls after insert or update or delete on package_requirements
  for each statement execute function refresh_package_pulls();

-- A package that must not be on the same computer as another one, by its name. It applies in both directions.
create table package_conflicts (
  package_id uuid not null,
  conflicting_name text not null,
  constraint package_conflicts_pkey primary key (package_id, conflicting_name),
  constraint package_conflicts_package_id_fkey foreign key (package_id) references packages (id) on delete cascade
);

create index package_conflicts_name_idx on package_conflicts (lower(conflicting_name));

-- The packages that conflict with a package, whichever of the two says so.
create function conflicts_of(of_package uuid) returns table (id uuid) language sql stable as $$
  select other.id
  from package_conflicts own join packages other on lower(other.package_name) = lower(own.conflicting_name)
  where own.package_id = of_package
  union
  select theirs.package_id
  from packages subject join package_conflicts theirs on lower(theirs.conflicting_name) = lower(subject.package_name)
  where subject.id = of_package
$$;

-- What keeps work from being handed out because of relations. Functions, because hardly any work item has relations: a statement that
-- contained these queries would take twice as long to plan, for every hand-out.

-- The packages that conflict with the package of a work item and are on the computer, or come to it first: of two work items, the
-- one that was created first. Null if there are none. The work item 0 is planned, and would be the last.
create function conflicting_packages(of_computer integer, of_package uuid, of_work bigint) returns text[]
language plpgsql stable as $$
begin
  return (
    select array_agg(distinct q.package_name)
    from conflicts_of(of_package) as conflict join packages q on q.id = conflict.id
    where exists (
        select from deployments d
        where d.computer_id = of_computer and d.package_id = q.id and d.installation_state = 'Installed')
        -- What it supersedes is replaced or uninstalled first.
        and not exists (
          select from package_supersedes superseded
          where superseded.package_id = of_package and lower(superseded.superseded_name) = lower(q.package_name))
      or exists (
        select from work o
        where o.computer_id = of_computer and o.package_id = q.id and o.state in ('Due', 'Leased')
          and o.kind in ('Install', 'Update', 'Reinstall')
          -- An offer that its user has not taken comes to nobody.
          and (o.commands & 64 = 0 or o.attempt > 0)
          and (o.state = 'Leased' or o.id < of_work or of_work = 0)));
end $$;

-- The packages on a computer that are uninstalled before a package is installed; null if there are none.
create function superseded_packages(of_computer integer, of_package uuid) returns text[] language plpgsql stable as $$
begin
  return (
    select array_agg(distinct q.package_name)
    from package_supersedes superseded
      join packages q on lower(q.package_name) = lower(superseded.superseded_name)
      join deployments d on d.package_id = q.id and d.computer_id = of_computer and d.installation_state = 'Installed'
    where superseded.package_id = of_package and superseded.uninstalls_first);
end $$;

-- The packages of all assignments of groups: of the package itself, of a class that contains it, of a part of it, or of a package
-- that pulls it in. A group may have a package for several of these reasons.
-- single_kind is the kind of the package if a computer can have only one package of that kind.
create or replace view assigned_packages as
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
  from group_pxe_boot_images assignment join pxe_boot_images image on image.id = assignment.image_id
  union all
  select assignment.group_id, pull.pulled_id, null
  from package_pulls pull join group_packages assignment on assignment.package_id = pull.package_id
  union all
  select assignment.group_id, pull.pulled_id, null
  from package_pulls pull
    join software_class_packages member on member.package_id = pull.package_id
    join group_software_classes assignment on assignment.class_id = member.class_id;

-- The packages that give an OU to the computers that get them, themselves or by a package that they pull in.
create or replace view ou_packages as
  select packages.id as package_id, packages.kind
  from package_variables stored join packages on packages.id = stored.package_id
  where stored.variable_id = ou_variable_id()
  union all
  select pulling.id, pulling.kind
  from package_variables stored
    join package_pulls pull on pull.pulled_id = stored.package_id
    join packages pulling on pulling.id = pull.package_id
  where stored.variable_id = ou_variable_id();

-- What assigned packages pull in can change the OU, and what is due to the members of converged groups.
create function record_pull_changes() returns trigger language plpgsql as $$
begin
  perform record_changes_below(array(
    select assigned.group_id
    from changed join assigned_packages assigned on assigned.package_id = changed.package_id
    where changed.pulled_id in (select package_id from ou_packages)));
  insert into convergence_marks (group_id)
  select distinct assigned.group_id
  from changed join assigned_packages assigned on assigned.package_id = changed.package_id
  where exists (select from group_convergence);
  return null;
end $$;

create trigger package_pulls_record_insert after insert on package_pulls
  referencing new table as changed for each statement execute function record_pull_changes();
create trigger package_pulls_record_delete after delete on package_pulls
  referencing old table as changed for each statement execute function record_pull_changes();

-- Before the deletion, because values, assignments and relations go with the package.
create function record_package_deletion() returns trigger language plpgsql as $$
begin
  if exists (select from ou_packages where package_id = old.id) then
    perform record_changes_below(array(select group_id from assigned_packages where package_id = old.id));
  end if;
  return old;
end $$;

create trigger packages_record_delete before delete on packages
  for each row execute function record_package_deletion();

-- What a computer must have or be for a package, as its manifest says; null: nothing more than the right system.
alter table packages add column conditions jsonb generated always as (manifest -> 'onlyFor') stored;

-- Whether any package has conditions.
create index packages_conditions_idx on packages (id) where conditions is not null;

-- Why a computer does not meet the conditions of a package, as a sentence; null if it does. What its inventory does not say keeps
-- nothing from it. The function effective_variable is a repeatable migration.
create function unmet_condition(conditions jsonb, of_computer integer) returns text language plpgsql stable as $$
declare
  subject record;
  field record;
  wanted jsonb;
  free numeric;
begin
  select os_version, os_edition, architecture, memory_mb, custom,
      os_installed_at is null or coalesce(inventory_at > os_installed_at, false) as is_current
    into subject from computers where id = of_computer;

  if subject.is_current and subject.os_version is not null then
    if version_numbers(subject.os_version) < version_numbers(conditions #>> '{osVersion,min}') then
      return format('It is for version %s of the operating system or later; the computer has %s.',
        conditions #>> '{osVersion,min}', subject.os_version);
    end if;
    if conditions #> '{osVersion,below}' is not null
      and version_numbers(subject.os_version) >= version_numbers(conditions #>> '{osVersion,below}') then
      return format('It is for versions of the operating system below %s; the computer has %s.',
        conditions #>> '{osVersion,below}', subject.os_version);
    end if;
  end if;
  if subject.is_current and not has_text(conditions -> 'osEditions', subject.os_edition) then
    return format('It is not for the edition %s of the operating system.', subject.os_edition);
  end if;
  if subject.is_current and not exists (
      select from jsonb_array_elements_text(conditions -> 'architectures') as listed (name)
      where coalesce(canonical_architecture(name), lower(name)) = canonical_architecture(subject.architecture))
    and conditions ? 'architectures' and canonical_architecture(subject.architecture) is not null then
    return format('It is not for the architecture %s.', subject.architecture);
  end if;

  if subject.memory_mb < (conditions ->> 'minMemoryMb')::integer then
    return format('It needs %s MB of memory; the computer has %s MB.', conditions ->> 'minMemoryMb', subject.memory_mb);
  end if;
  if conditions ? 'minFreeDiskGb' then
    select max(free_space_gb) into free from disk_drives where computer_id = of_computer and drive_type_code = 3;
    if free < (conditions ->> 'minFreeDiskGb')::numeric then
      return format('It needs %s GB of free space on a fixed drive; the computer has %s GB.', conditions ->> 'minFreeDiskGb',
        round(free, 1));
    end if;
  end if;

  if subject.is_current and exists (
    select from inventory_sections where computer_id = of_computer and section = 'installedSoftware') then
    for wanted in select item from jsonb_array_elements(conditions -> 'software') as listed (item) loop
      if coalesce((wanted ->> 'absent')::boolean, false) = exists (
        select from installed_software installed join software_products product on product.id = installed.product_id
        where installed.computer_id = of_computer and lower(product.name) = lower(wanted ->> 'name')
          and version_numbers(product.version) >= version_numbers(wanted ->> 'min')
          and (wanted ->> 'below' is null or version_numbers(product.version) < version_numbers(wanted ->> 'below'))) then
        return format('It is only for computers %s %s.',
          case when (wanted ->> 'absent')::boolean then 'without' else 'with' end,
          concat_ws(' ', wanted ->> 'name', 'from ' || (wanted ->> 'min'), 'below ' || (wanted ->> 'below')));
      end if;
    end loop;
  end if;

  -- A field or a variable that was renamed or deleted since the import is no reason to install the package everywhere.
  for wanted in select item from jsonb_array_elements(conditions -> 'customFields') as listed (item) loop
    select slot into field from custom_fields where lower(designation) = lower(wanted ->> 'name');
    if not coalesce(has_text(wanted -> 'values', subject.custom ->> field.slot), false) then
      return format('It is for computers whose field %s has another value.', wanted ->> 'name');
    end if;
  end loop;
  -- Whether a package is for a computer must not reveal anything about a secret.
  for wanted in select item from jsonb_array_elements(conditions -> 'variables') as listed (item) loop
    select id into field from variable_definitions where lower(dotted_name) = lower(wanted ->> 'name') and not is_secret;
    if not coalesce(has_text(wanted -> 'values', effective_variable(of_computer, field.id)), false) then
      return format('It is for computers whose variable %s has another value.', wanted ->> 'name');
    end if;
  end loop;
  return null;
end $$;

-- The same for a package that is to be installed or updated. What is installed has shown that it is for the computer.
create function unmet_condition_of_work(of_computer integer, of_package uuid) returns text language plpgsql stable as $$
begin
  return (
    select unmet_condition(packages.conditions, of_computer) from packages
    where packages.id = of_package and packages.conditions is not null and not exists (
      select from deployments d
      where d.computer_id = of_computer and d.package_id = of_package and d.installation_state = 'Installed'));
end $$;
