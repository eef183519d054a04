-- The numbers in a version, in their order: 1.10.2-beta is {1,10,2}. Arrays of numbers compare as versions do.
create function version_numbers(version text) returns numeric[] language sql immutable parallel safe as $$
  select coalesce(array_agg(found[1]::numeric order by place), '{}')
  from regexp_matches(coalesce(version, ''), '[0-9]+', 'g') with ordinality as number (found, place)
$$;

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

-- Which packages a package may bring work with: it requires them by name, directly or through other packages, or they are
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
  if not exists (select from package_requirements) and not exists (select from package_supersedes)
    and not exists (select from package_pulls) then
    return null;
  end if;
  with recursive direct as materialized (
    select needed.package_id, required.id as pulled_id
    from package_requirements needed join packages required on lower(required.package_name) = lower(needed.required_name)
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

-- A package that must not be on the same computer as another one, by its name. It holds in both directions.
create table package_conflicts (
  package_id uuid not null,
  conflicting_name text not null,
  constraint package_conflicts_pkey primary key (package_id, conflicting_name),
  constraint package_conflicts_package_id_fkey foreign key (package_id) references packages (id) on delete cascade
);

create index package_conflicts_name_idx on package_conflicts (lower(conflicting_name));

-- Packages from before this migration.
insert into package_pulls (package_id, pulled_id)
with recursive direct as materialized (
  select needed.package_id, required.id as pulled_id
  from package_requirements needed join packages required on lower(required.package_name) = lower(needed.required_name)
), reached as (
  select package_id, pulled_id from direct
  union
  select reached.package_id, direct.pulled_id from reached join direct on direct.package_id = reached.pulled_id
)
select package_id, pulled_id from reached;

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

-- What a computer must have or be for a package, as its manifest says; null: nothing more than the right system.
alter table packages add column conditions jsonb generated always as (manifest -> 'onlyFor') stored;

-- Why a computer does not meet the conditions of a package, as a sentence; null if it does. What its inventory does not say keeps
-- nothing from it.
create function unmet_condition(conditions jsonb, computer integer) returns text language sql stable as $$
  with subject as (
    select computers.*, os_installed_at is null or coalesce(inventory_at > os_installed_at, false) as is_current
    from computers where id = computer
  )
  select sentence from (
    select 1 as place, format('It is for version %s of the operating system or later; the computer has %s.',
        conditions #>> '{osVersion,min}', os_version) as sentence
    from subject
    where is_current and os_version is not null and version_numbers(os_version) < version_numbers(conditions #>> '{osVersion,min}')
    union all
    select 2, format('It is for versions of the operating system below %s; the computer has %s.',
        conditions #>> '{osVersion,below}', os_version)
    from subject
    where is_current and os_version is not null and conditions #> '{osVersion,below}' is not null
      and version_numbers(os_version) >= version_numbers(conditions #>> '{osVersion,below}')
    union all
    select 3, format('It is for other editions of the operating system than %s.', os_edition)
    from subject
    where is_current and os_edition is not null and conditions ? 'osEditions' and lower(os_edition) not in (
      select lower(edition) from jsonb_array_elements_text(conditions -> 'osEditions') as listed (edition))
    union all
    select 4, format('It is for other architectures than %s.', architecture)
    from subject
    where conditions ? 'architectures' and canonical_architecture(architecture) not in (
      select coalesce(canonical_architecture(name), lower(name))
      from jsonb_array_elements_text(conditions -> 'architectures') as listed (name))
    union all
    select 5, format('It needs %s MB of memory; the computer has %s MB.', conditions ->> 'minMemoryMb', memory_mb)
    from subject where memory_mb < (conditions ->> 'minMemoryMb')::integer
    union all
    select 6, format('It needs %s GB of free space on a fixed drive; the computer has %s GB.', conditions ->> 'minFreeDiskGb',
        round(max(free_space_gb)::numeric, 1))
    from disk_drives where computer_id = computer and drive_type_code = 3
    having max(free_space_gb) < (conditions ->> 'minFreeDiskGb')::numeric
    union all
    select 7, case when coalesce((wanted.item ->> 'absent')::boolean, false)
        then format('It is only for computers without %s.', wanted.item ->> 'name')
        else format('It is only for computers with %s.', concat_ws(' ', wanted.item ->> 'name',
          'from ' || (wanted.item ->> 'min'), 'below ' || (wanted.item ->> 'below'))) end
    from subject cross join jsonb_array_elements(conditions -> 'software') as wanted (item)
    where is_current and exists (
        select from inventory_sections where computer_id = computer and section = 'installedSoftware')
      and coalesce((wanted.item ->> 'absent')::boolean, false) = exists (
        select from installed_software installed join software_products product on product.id = installed.product_id
        where installed.computer_id = computer and lower(product.name) = lower(wanted.item ->> 'name')
          and version_numbers(product.version) >= version_numbers(wanted.item ->> 'min')
          and (wanted.item ->> 'below' is null or version_numbers(product.version) < version_numbers(wanted.item ->> 'below')))
    union all
    select 8, format('It is for other computers: their field %s has another value.', field.designation)
    from subject cross join jsonb_array_elements(conditions -> 'customFields') as wanted (item)
      join custom_fields field on lower(field.designation) = lower(wanted.item ->> 'name')
    where not coalesce(lower(custom ->> field.slot) in (
      select lower(value) from jsonb_array_elements_text(wanted.item -> 'values') as listed (value)), false)
  ) as unmet
  order by place, sentence limit 1
$$;
