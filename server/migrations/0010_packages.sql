-- What the manifest of a package says, and what was found in its folder.
alter table packages
  add column package_name text,
  add column version text,
  add column revision text,
  add column author text,
  add column description text,
  add column kind text not null default 'Software',
  add column is_pre_os boolean not null default false,
  add column operating_systems text[] not null default '{}',
  add column is_operational boolean not null default false,
  add column folder text,
  add column manifest jsonb,
  add column content_hash bytea,
  add column hash_state text not null default 'None',
  add column imported_at timestamptz not null default now(),
  add constraint packages_kind_check check (kind in ('Software', 'OperatingSystem', 'LanguagePack', 'AgentTemplate',
    'PxeBootImage', 'InventoryScan', 'PatchScan', 'PatchFix')),
  add constraint packages_hash_state_check check (hash_state in ('None', 'Current', 'Mismatch'));

create unique index packages_identity_key on packages
  (lower(package_name), lower(version), lower(coalesce(revision, '')), operating_systems);
create unique index packages_folder_key on packages (folder);
create index packages_kind_idx on packages (kind);
create index packages_search_idx on packages using gin (name gin_trgm_ops, package_name gin_trgm_ops, version gin_trgm_ops);

create table package_files (
  package_id uuid not null,
  path text not null,
  size bigint not null,
  sha256 bytea not null,
  constraint package_files_pkey primary key (package_id, path),
  constraint package_files_package_id_fkey foreign key (package_id) references packages (id) on delete cascade
);

-- The editions in an operating system image.
create table os_image_skus (
  id integer generated always as identity,
  package_id uuid not null,
  sku_index integer not null,
  edition text not null,
  constraint os_image_skus_pkey primary key (id),
  constraint os_image_skus_package_id_sku_index_key unique (package_id, sku_index),
  constraint os_image_skus_package_id_fkey foreign key (package_id) references packages (id) on delete cascade
);

create table pxe_boot_images (
  id integer generated always as identity,
  package_id uuid not null,
  constraint pxe_boot_images_pkey primary key (id),
  constraint pxe_boot_images_package_id_key unique (package_id),
  constraint pxe_boot_images_package_id_fkey foreign key (package_id) references packages (id) on delete cascade
);

create table tags (
  id integer generated always as identity,
  designation text not null,
  description text,
  is_read_only boolean not null default false,
  constraint tags_pkey primary key (id),
  constraint tags_designation_check check (designation ~ '\S' and length(designation) <= 255)
);

create unique index tags_designation_key on tags (lower(designation));
insert into tags (designation, description, is_read_only) values ('Global', 'Packages for every depot', true);

create table package_tags (
  package_id uuid not null,
  tag_id integer not null,
  constraint package_tags_pkey primary key (package_id, tag_id),
  constraint package_tags_package_id_fkey foreign key (package_id) references packages (id) on delete cascade,
  constraint package_tags_tag_id_fkey foreign key (tag_id) references tags (id) on delete cascade
);

create index package_tags_tag_id_idx on package_tags (tag_id);

create table depot_tags (
  computer_id integer not null,
  tag_id integer not null,
  constraint depot_tags_pkey primary key (computer_id, tag_id),
  constraint depot_tags_computer_id_fkey foreign key (computer_id) references computers (id) on delete cascade,
  constraint depot_tags_tag_id_fkey foreign key (tag_id) references tags (id) on delete cascade
);

create index depot_tags_tag_id_idx on depot_tags (tag_id);

alter table installation add column is_depot_topology_active boolean not null default false;

-- Further assignments to groups. Of agent templates, operating system images and boot images a group has at most one.
create table group_agent_templates (
  group_id uuid not null,
  package_id uuid not null,
  assigned_at timestamptz not null default now(),
  constraint group_agent_templates_pkey primary key (group_id),
  constraint group_agent_templates_group_id_fkey foreign key (group_id) references groups (id) on delete cascade,
  constraint group_agent_templates_package_id_fkey foreign key (package_id) references packages (id) on delete cascade
);

create index group_agent_templates_package_id_idx on group_agent_templates (package_id);

create table group_os_image_skus (
  group_id uuid not null,
  sku_id integer not null,
  assigned_at timestamptz not null default now(),
  constraint group_os_image_skus_pkey primary key (group_id),
  constraint group_os_image_skus_group_id_fkey foreign key (group_id) references groups (id) on delete cascade,
  constraint group_os_image_skus_sku_id_fkey foreign key (sku_id) references os_image_skus (id) on delete cascade
);

create index group_os_image_skus_sku_id_idx on group_os_image_skus (sku_id);

create table group_pxe_boot_images (
  group_id uuid not null,
  image_id integer not null,
  assigned_at timestamptz not null default now(),
  constraint group_pxe_boot_images_pkey primary key (group_id),
  constraint group_pxe_boot_images_group_id_fkey foreign key (group_id) references groups (id) on delete cascade,
  constraint group_pxe_boot_images_image_id_fkey foreign key (image_id) references pxe_boot_images (id) on delete cascade
);

create index group_pxe_boot_images_image_id_idx on group_pxe_boot_images (image_id);

create table group_language_packs (
  group_id uuid not null,
  package_id uuid not null,
  assigned_at timestamptz not null default now(),
  constraint group_language_packs_pkey primary key (group_id, package_id),
  constraint group_language_packs_group_id_fkey foreign key (group_id) references groups (id) on delete cascade,
  constraint group_language_packs_package_id_fkey foreign key (package_id) references packages (id) on delete cascade
);

create index group_language_packs_package_id_idx on group_language_packs (package_id);

create table group_software_classes (
  group_id uuid not null,
  class_id integer not null,
  assigned_at timestamptz not null default now(),
  constraint group_software_classes_pkey primary key (group_id, class_id),
  constraint group_software_classes_group_id_fkey foreign key (group_id) references groups (id) on delete cascade,
  constraint group_software_classes_class_id_fkey foreign key (class_id) references software_classes (id)
);

create index group_software_classes_class_id_idx on group_software_classes (class_id);

-- How packages are distributed: for a whole group (package_id is null) or for one package that is assigned to it.
create table distribution_options (
  id integer generated always as identity,
  group_id uuid not null,
  package_id uuid,
  dist_commands integer not null,
  schedule text not null default '',
  revoke_count integer not null default 0,
  wol boolean not null default false,
  revoke_date timestamptz,
  optional_date timestamptz,
  constraint distribution_options_pkey primary key (id),
  constraint distribution_options_group_id_package_id_key unique nulls not distinct (group_id, package_id),
  constraint distribution_options_group_id_fkey foreign key (group_id) references groups (id) on delete cascade,
  constraint distribution_options_assignment_fkey
    foreign key (group_id, package_id) references group_packages (group_id, package_id) on delete cascade,
  constraint distribution_options_dist_commands_check check (dist_commands between 1 and 127),
  constraint distribution_options_revoke_count_check check (revoke_count >= 0)
);

create index distribution_options_package_id_idx on distribution_options (package_id);

create table group_depot_servers (
  group_id uuid not null,
  priority integer not null,
  computer_id integer not null,
  constraint group_depot_servers_pkey primary key (group_id, priority),
  constraint group_depot_servers_group_id_computer_id_key unique (group_id, computer_id),
  constraint group_depot_servers_group_id_fkey foreign key (group_id) references groups (id) on delete cascade,
  constraint group_depot_servers_computer_id_fkey foreign key (computer_id) references computers (id) on delete cascade
);

create index group_depot_servers_computer_id_idx on group_depot_servers (computer_id);
