-- A package that is assigned to a group.
create table group_packages (
  group_id uuid not null,
  package_id uuid not null,
  assigned_at timestamptz not null default now(),
  constraint group_packages_pkey primary key (group_id, package_id),
  constraint group_packages_group_id_fkey foreign key (group_id) references groups (id) on delete cascade,
  constraint group_packages_package_id_fkey foreign key (package_id) references packages (id) on delete cascade
);

create index group_packages_package_id_idx on group_packages (package_id);

-- A language pack that is assigned to a group.
create table group_language_packs (
  group_id uuid not null,
  package_id uuid not null,
  assigned_at timestamptz not null default now(),
  constraint group_language_packs_pkey primary key (group_id, package_id),
  constraint group_language_packs_group_id_fkey foreign key (group_id) references groups (id) on delete cascade,
  constraint group_language_packs_package_id_fkey foreign key (package_id) references packages (id) on delete cascade
);

create index group_language_packs_package_id_idx on group_language_packs (package_id);

-- A software class that is assigned to a group.
create table group_software_classes (
  group_id uuid not null,
  class_id integer not null,
  assigned_at timestamptz not null default now(),
  constraint group_software_classes_pkey primary key (group_id, class_id),
  constraint group_software_classes_group_id_fkey foreign key (group_id) references groups (id) on delete cascade,
  constraint group_software_classes_class_id_fkey foreign key (class_id) references software_classes (id)
);

create index group_software_classes_class_id_idx on group_software_classes (class_id);

-- The agent template that is assigned to a group. A group has at most one.
create table group_agent_templates (
  group_id uuid not null,
  package_id uuid not null,
  assigned_at timestamptz not null default now(),
  constraint group_agent_templates_pkey primary key (group_id),
  constraint group_agent_templates_group_id_fkey foreign key (group_id) references groups (id) on delete cascade,
  constraint group_agent_templates_package_id_fkey foreign key (package_id) references packages (id) on delete cascade
);

create index group_agent_templates_package_id_idx on group_agent_templates (package_id);

-- The edition of an operating system that is assigned to a group. A group has at most one.
create table group_os_image_skus (
  group_id uuid not null,
  sku_id integer not null,
  assigned_at timestamptz not null default now(),
  constraint group_os_image_skus_pkey primary key (group_id),
  constraint group_os_image_skus_group_id_fkey foreign key (group_id) references groups (id) on delete cascade,
  constraint group_os_image_skus_sku_id_fkey foreign key (sku_id) references os_image_skus (id) on delete cascade
);

create index group_os_image_skus_sku_id_idx on group_os_image_skus (sku_id);

-- The boot image that is assigned to a group. A group has at most one.
create table group_pxe_boot_images (
  group_id uuid not null,
  image_id integer not null,
  assigned_at timestamptz not null default now(),
  constraint group_pxe_boot_images_pkey primary key (group_id),
  constraint group_pxe_boot_images_group_id_fkey foreign key (group_id) references groups (id) on delete cascade,
  constraint group_pxe_boot_images_image_id_fkey
    foreign key (image_id) references pxe_boot_images (id) on delete cascade
);

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

create index group_pxe_boot_images_image_id_idx on group_pxe_boot_images (image_id);

-- A depot from which the computers of a group download. The lowest priority is tried first.
create table group_depot_servers (
  group_id uuid not null,
  priority integer not null,
  computer_id integer not null,
  constraint group_depot_servers_pkey primary key (group_id, priority),
  constraint group_depot_servers_group_id_computer_id_key unique (group_id, computer_id),
  constraint group_depot_servers_group_id_fkey foreign key (group_id) references groups (id) on delete cascade,
  constraint group_depot_servers_computer_id_fkey
    foreign key (computer_id) references computers (id) on delete cascade
);

create index group_depot_servers_computer_id_idx on group_depot_servers (computer_id);

-- How packages are distributed: for a whole group (package_id is null), or for one package that is assigned to it. A
-- package that comes through a software class has an assignment like any other, so it can have options of its own. They
-- end with the assignment: when the class leaves the group, or the package leaves the class.
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
  -- Set if the package comes through this class.
  class_id integer,
  directly_assigned_package_id uuid generated always as (case when class_id is null then package_id end) stored,
  constraint distribution_options_pkey primary key (id),
  constraint distribution_options_group_id_package_id_key unique nulls not distinct (group_id, package_id),
  constraint distribution_options_group_id_fkey foreign key (group_id) references groups (id) on delete cascade,
  constraint distribution_options_dist_commands_check check (dist_commands between 1 and 127),
  constraint distribution_options_revoke_count_check check (revoke_count >= 0),
  constraint distribution_options_class_check check (class_id is null or package_id is not null),
  constraint distribution_options_assignment_fkey
    foreign key (group_id, directly_assigned_package_id) references group_packages (group_id, package_id) on delete cascade,
  constraint distribution_options_class_assignment_fkey
    foreign key (group_id, class_id) references group_software_classes (group_id, class_id) on delete cascade,
  constraint distribution_options_class_content_fkey
    foreign key (class_id, package_id) references software_class_packages (class_id, package_id) on delete cascade
);

create index distribution_options_package_id_idx on distribution_options (package_id);
create index distribution_options_class_id_package_id_idx on distribution_options (class_id, package_id);
