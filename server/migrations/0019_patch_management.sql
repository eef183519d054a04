-- A group of patches, which is assigned to groups of computers.
create table pm_groups (
  id integer generated always as identity,
  name text not null,
  category text not null,
  description text,
  created_at timestamptz not null default now(),
  constraint pm_groups_pkey primary key (id),
  constraint pm_groups_category_check check (category in ('Patch', 'ServicePack')),
  constraint pm_groups_name_check check (name ~ '\S' and length(name) <= 255)
);

create unique index pm_groups_name_key on pm_groups (lower(name));

-- A patch of a PM group, for one product.
create table pm_group_patches (
  pm_group_id integer not null,
  patch_id integer not null,
  product_id integer not null,
  added_at timestamptz not null default now(),
  constraint pm_group_patches_pkey primary key (pm_group_id, patch_id, product_id),
  constraint pm_group_patches_pm_group_id_fkey foreign key (pm_group_id) references pm_groups (id) on delete cascade,
  constraint pm_group_patches_patch_id_product_id_fkey
    foreign key (patch_id, product_id) references patch_links (patch_id, product_id) on delete cascade
);

create index pm_group_patches_patch_id_idx on pm_group_patches (patch_id, product_id, pm_group_id);

-- A group of computers to which a PM group is assigned. A test assignment, and that of an emergency, does not wait for
-- approvals.
create table pm_group_assignments (
  pm_group_id integer not null,
  group_id uuid not null,
  is_test boolean not null default false,
  is_emergency boolean not null default false,
  assigned_at timestamptz not null default now(),
  constraint pm_group_assignments_pkey primary key (pm_group_id, group_id),
  constraint pm_group_assignments_kind_check check (not (is_test and is_emergency)),
  constraint pm_group_assignments_pm_group_id_fkey
    foreign key (pm_group_id) references pm_groups (id) on delete cascade,
  constraint pm_group_assignments_group_id_fkey foreign key (group_id) references groups (id) on delete cascade
);

create index pm_group_assignments_group_id_idx on pm_group_assignments (group_id, pm_group_id);

-- The emergency patching of a PM group, with the assignment group that was created for it.
create table emergencies (
  pm_group_id integer not null,
  group_id uuid not null,
  started_at timestamptz not null default now(),
  constraint emergencies_pkey primary key (pm_group_id),
  constraint emergencies_group_id_key unique (group_id),
  constraint emergencies_assignment_fkey foreign key (pm_group_id, group_id)
    references pm_group_assignments (pm_group_id, group_id) on delete cascade
);

-- How many computers lack a patch or have it, for one product, at the last count of the fleet. Counting all scan
-- results takes too long for a request. Rows of purged patches disappear with the next count.
create table patch_counts (
  patch_id integer not null,
  product_id integer not null,
  missing integer not null,
  installed integer not null,
  constraint patch_counts_pkey primary key (patch_id, product_id)
) with (fillfactor = 80);
