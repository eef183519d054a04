-- Whether a package is for a computer follows from the names of operating systems and from the architecture. What is unknown
-- is null, and null keeps nothing from a computer.

-- One spelling for each architecture of processors; null for a spelling that is not known.
create function canonical_architecture(name text) returns text language sql immutable parallel safe return
  case
    when lower(btrim(name)) in ('x64', 'amd64', 'x86_64', 'x86-64', 'em64t', 'intel64', '64', '64-bit', '64 bit', '64 bits')
      then 'x64'
    when lower(btrim(name)) in ('x86', 'i386', 'i486', 'i586', 'i686', 'ia32', '32', '32-bit', '32 bit', '32 bits') then 'x86'
    when lower(btrim(name)) in ('arm64', 'aarch64', 'arm64e', 'armv8', 'armv8l', 'arm 64-bit processor') then 'arm64'
    when lower(btrim(name)) in ('arm', 'armhf', 'armel', 'armv6l', 'armv7', 'armv7l') then 'arm'
    when lower(btrim(name)) in ('riscv64', 'ppc64le', 's390x', 'loongarch64', 'mips', 'mips64') then lower(btrim(name))
  end;

-- Architectures whose processors boot the images of each other. A computer reports the architecture of its operating system,
-- and a 32-bit system often runs on a 64-bit processor.
create function processor_family(architecture text) returns text language sql immutable parallel safe return
  case when architecture in ('x86', 'x64') then 'x86' when architecture in ('arm', 'arm64') then 'arm' else architecture end;

-- The name of a distribution in the field ID of /etc/os-release: mostly the first word of its name.
create function distribution_id(os_name text) returns text language sql immutable parallel safe return
  case
    when os_name ilike 'red hat enterprise%' then 'rhel'
    when os_name ilike 'oracle linux%' then 'ol'
    when os_name ilike 'amazon linux%' then 'amzn'
    when os_name ilike 'linux mint%' then 'linuxmint'
    when os_name ilike 'opensuse %' then replace(lower(os_name), ' ', '-')
    else lower(split_part(os_name, ' ', 1))
  end;

-- The names by which a package may refer to an operating system, in lower case; null if the system is unknown. The version
-- of Windows is not the number in its name: Windows 11 has the version 10.
create function system_names(platform text, os_name text, os_edition text, os_version text) returns text[]
language sql immutable parallel safe return
  case when os_name is not null then array[
    lower(platform), lower(os_name), distribution_id(os_name), lower(split_part(os_name, ' ', 1)),
    lower(os_name || ' ' || os_edition), lower(os_name || ' ' || os_version),
    lower(distribution_id(os_name) || ' ' || os_version), lower(split_part(os_name, ' ', 1) || ' ' || os_version),
    case when os_name not ilike 'windows%' then lower(os_name || ' ' || split_part(os_version, '.', 1)) end,
    case when os_name not ilike 'windows%' then lower(distribution_id(os_name) || ' ' || split_part(os_version, '.', 1)) end
  ] end;

-- The names in a manifest, as `system_names` spells them. Titles of distributions end with a code name or `LTS`, and have the
-- number of the last correction.
create function package_system_names(names text[]) returns text[] language sql immutable parallel safe return (
  select array_agg(distinct spelling)
  from unnest(names) as given (name)
    cross join lateral (values (lower(name)), (regexp_replace(
      regexp_replace(lower(name), '^microsoft |\s*\(.*\)$|\s+lts$', '', 'g'), '(\d+\.\d+)\.\d+$', '\1'))) as spelled (spelling)
  where spelling is not null);

alter table packages
  -- Packages that run in the operating system: any of these names. Null: any system. What runs before the operating system
  -- runs in the system of the boot image.
  add column for_systems text[] generated always as (case
    when kind = 'LanguagePack' or kind in ('Software', 'InventoryScan', 'PatchScan', 'PatchFix') and not is_pre_os
    then package_system_names(operating_systems) end) stored,
  -- Language packs: the system of the image, and whether it is a server.
  add column for_image_systems text[] generated always as (case
    when kind = 'LanguagePack' then package_system_names(array[manifest #>> '{image,os}']) end) stored,
  add column for_server boolean generated always as (case when kind = 'LanguagePack' then case
    when manifest #>> '{image,osType}' ilike '%server%' then true
    when lower(manifest #>> '{image,osType}') in ('workstation', 'client', 'desktop') then false end end) stored,
  -- Operating systems, language packs and boot images.
  add column for_architecture text generated always as (canonical_architecture(
    coalesce(manifest #>> '{image,architecture}', manifest #>> '{boot,architecture}'))) stored;

alter table computers
  -- When the service last learned that an operating system was installed. What an earlier inventory says about the system is
  -- about the one before.
  add column os_installed_at timestamptz,
  alter column pxe_support set default true;

-- Until now, false was the default and had no effect. No person has made this change, so nothing records it.
alter table computers disable trigger user;
update computers set pxe_support = true where not pxe_support;
alter table computers enable trigger user;

-- What is known of a computer about the packages that are for it.
create view computer_platforms as
  select computers.id as computer_id, computers.pxe_support,
    case when is_current then system_names(platform, os_name, os_edition, os_version) end as system_names,
    case when is_current and os_name ilike 'windows%' then os_name ilike '%server%' end as is_server,
    case when is_current then canonical_architecture(architecture) end as system_architecture,
    processor_family(canonical_architecture(architecture)) as processor,
    concat_ws(' ', os_name, os_edition) as system_title, architecture
  from computers cross join lateral (
    select os_installed_at is null or coalesce(inventory_at > os_installed_at, false) as is_current) as inventory;

comment on view computer_platforms is 'What decides which packages are for a computer. Null: unknown.';

-- Results that an installer reported for packages that run before the operating system, until they are confirmed.
alter table boot_grants add column pre_os_results jsonb;

-- Work and results of packages that are for other systems.
with foreign_work as (
  select work.id
  from work join packages p on p.id = work.package_id join computer_platforms c on c.computer_id = work.computer_id
  where work.state in ('Due', 'Leased') and work.kind <> 'OperatingSystem' and not (
    (p.for_systems is null or coalesce(p.for_systems && c.system_names, true))
    and (p.for_image_systems is null or coalesce(p.for_image_systems && c.system_names, true))
    and coalesce(p.for_server = c.is_server, true)
    and coalesce(p.kind <> 'LanguagePack' or p.for_architecture = c.system_architecture, true))
)
update work set state = 'Cancelled', closed_at = now(), leased_until = null, cancel_reason = 'NotApplicable'
from foreign_work where work.id = foreign_work.id;

delete from reinstall_groups where group_id in (
  select reinstall_group_id from work where cancel_reason = 'NotApplicable' and reinstall_group_id is not null);

update deployments set pending_since = null
where pending_since is not null and not exists (
  select from work
  where work.computer_id = deployments.computer_id and work.package_id = deployments.package_id
    and work.state in ('Due', 'Leased'));

delete from deployments using packages p, computer_platforms c
where p.id = deployments.package_id and c.computer_id = deployments.computer_id
  and deployments.status in ('Failed', 'Pending') and deployments.installation_state <> 'Installed' and not (
    (p.for_systems is null or coalesce(p.for_systems && c.system_names, true))
    and (p.for_image_systems is null or coalesce(p.for_image_systems && c.system_names, true))
    and coalesce(p.for_server = c.is_server, true)
    and coalesce(p.kind <> 'LanguagePack' or p.for_architecture = c.system_architecture, true));
