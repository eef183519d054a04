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
