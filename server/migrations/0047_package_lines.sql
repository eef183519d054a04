-- A person's name for the line of a package, where its own name is not that of the other versions. Imports keep it.
alter table packages add column line_name text
  constraint packages_line_name_check check (line_name ~ '\S' and length(line_name) <= 200);

-- Packages with the same key are versions of the same software: a computer has one of them at a time.
alter table packages add column line_key text generated always as (lower(coalesce(line_name, package_name))) stored;

-- The other versions of a package.
create index packages_line_key_idx on packages (line_key);

-- The replacement of older versions of a package line by another one, in the groups that had them.
create table package_upgrades (
  id uuid not null default new_uuid(),
  -- The new version. No foreign keys to packages and groups: what an upgrade has done outlives them.
  package_id uuid not null,
  line_key text not null,
  created_by text not null,
  created_by_id integer not null,
  created_at timestamptz not null default now(),
  rolled_back_by text,
  rolled_back_at timestamptz,
  constraint package_upgrades_pkey primary key (id),
  constraint package_upgrades_rolled_back_check check ((rolled_back_by is null) = (rolled_back_at is null))
);

-- The upgrades of a line, the latest first.
create index package_upgrades_line_key_idx on package_upgrades (line_key, created_at);

-- A group of an upgrade, the version that it had, and the group above it or itself whose rollout brings the new version.
create table package_upgrade_groups (
  upgrade_id uuid not null,
  group_id uuid not null,
  old_package_id uuid not null,
  rollout_group_id uuid not null,
  constraint package_upgrade_groups_pkey primary key (upgrade_id, group_id),
  constraint package_upgrade_groups_upgrade_id_fkey
    foreign key (upgrade_id) references package_upgrades (id) on delete cascade
);

-- Which upgrades could be rolled back to a version: it is not deleted meanwhile.
create index package_upgrade_groups_old_package_id_idx on package_upgrade_groups (old_package_id);

-- Set for the rollouts of an upgrade. No foreign key: a rollout is locked before everything else.
alter table rollouts add column upgrade_id uuid;
-- Set for a rollout that rolls an upgrade back: the new version, whose place the package of the rollout takes again.
alter table rollouts add column rolled_back_package_id uuid
  constraint rollouts_rolled_back_package_check check (rolled_back_package_id is null or upgrade_id is not null and package_id is not null);

create index rollouts_upgrade_id_idx on rollouts (upgrade_id) where upgrade_id is not null;

-- Whether a computer waits for a package in an upgrade or a roll back, at each activation.
create index rollouts_upgrading_idx on rollouts (package_id) where upgrade_id is not null and ended_at is null;

-- Set for the work of a roll back: the version that it uninstalls, or whose place the installed version takes. The removal
-- comes first.
alter table work add column rolled_back_package_id uuid;
