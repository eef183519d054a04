-- Versions of products that patches are for.
create table patch_products (
  id integer generated always as identity,
  name text not null,
  vendor text,
  constraint patch_products_pkey primary key (id),
  constraint patch_products_name_check check (name ~ '\S' and length(name) <= 500)
);

create unique index patch_products_name_key on patch_products (lower(name));
create index patch_products_search_idx on patch_products using gin (name gin_trgm_ops);

-- What vendors publish. The same patch may be for several products, and is approved for each of them apart.
create table patches (
  id integer generated always as identity,
  uid uuid not null default new_uuid(),
  -- By which catalogs and scans name it, such as KB5034441 or DSA-5532-1.
  key text not null,
  name text not null,
  q_number text,
  bulletin_id text,
  bulletin_title text,
  vendor_information_page text,
  vendor_severity text,
  severity_rank smallint not null generated always as (
    case lower(vendor_severity) when 'critical' then 4 when 'important' then 3 when 'high' then 3
      when 'moderate' then 2 when 'medium' then 2 when 'low' then 1 else 0 end) stored,
  patch_type text not null default 'NonSecurityPatch',
  is_service_pack boolean not null default false,
  -- The service pack that it is, or that it needs.
  service_pack text,
  release_date date,
  update_date date,
  bulletin_revise_date date,
  cvss_score double precision,
  vrr_score double precision,
  is_uninstallable boolean,
  size_bytes bigint,
  cves text[] not null default '{}',
  -- A patch that only a scan has named until now; the catalog may tell more about it later.
  is_known_by_scan_only boolean not null default false,
  created_at timestamptz not null default now(),
  constraint patches_pkey primary key (id),
  constraint patches_uid_key unique (uid),
  constraint patches_key_check check (key ~ '\S' and length(key) <= 255),
  constraint patches_patch_type_check
    check (patch_type in ('SecurityPatch', 'SoftwareDistribution', 'SecurityTool', 'NonSecurityPatch', 'CustomAction')),
  constraint patches_cvss_score_check check (cvss_score between 0 and 10),
  constraint patches_vrr_score_check check (vrr_score between 0 and 10),
  constraint patches_size_bytes_check check (size_bytes >= 0)
);

create unique index patches_key_key on patches (lower(key));
create index patches_q_number_idx on patches (lower(q_number));
create index patches_bulletin_id_idx on patches (lower(bulletin_id));
create index patches_search_idx on patches using gin (name gin_trgm_ops, bulletin_title gin_trgm_ops);
create index patches_cves_idx on patches using gin (cves);

-- A patch for one product: what is approved, put into groups, and found by scans.
create table patch_links (
  patch_id integer not null,
  product_id integer not null,
  link_items integer not null default 1,
  approved_at timestamptz,
  constraint patch_links_pkey primary key (patch_id, product_id),
  constraint patch_links_link_items_check check (link_items >= 0),
  constraint patch_links_patch_id_fkey foreign key (patch_id) references patches (id) on delete cascade,
  constraint patch_links_product_id_fkey foreign key (product_id) references patch_products (id) on delete cascade
);

create index patch_links_product_id_idx on patch_links (product_id, patch_id);

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

-- Where PM groups hold. A test assignment, and that of an emergency, does not wait for approval.
create table pm_group_assignments (
  pm_group_id integer not null,
  group_id uuid not null,
  is_test boolean not null default false,
  is_emergency boolean not null default false,
  assigned_at timestamptz not null default now(),
  constraint pm_group_assignments_pkey primary key (pm_group_id, group_id),
  constraint pm_group_assignments_kind_check check (not (is_test and is_emergency)),
  constraint pm_group_assignments_pm_group_id_fkey foreign key (pm_group_id) references pm_groups (id) on delete cascade,
  constraint pm_group_assignments_group_id_fkey foreign key (group_id) references groups (id) on delete cascade
);

create index pm_group_assignments_group_id_idx on pm_group_assignments (group_id, pm_group_id);

-- The emergency patching of a PM group, with the assignment group that was made for it.
create table emergencies (
  pm_group_id integer not null,
  group_id uuid not null,
  started_at timestamptz not null default now(),
  constraint emergencies_pkey primary key (pm_group_id),
  constraint emergencies_group_id_key unique (group_id),
  constraint emergencies_assignment_fkey foreign key (pm_group_id, group_id)
    references pm_group_assignments (pm_group_id, group_id) on delete cascade
);

-- The last patch scan of a computer.
create table patch_scans (
  computer_id integer not null,
  scanned_at timestamptz not null,
  definition_at timestamptz,
  definition_version text,
  constraint patch_scans_pkey primary key (computer_id),
  constraint patch_scans_computer_id_fkey foreign key (computer_id) references computers (id) on delete cascade
);

-- What that scan found: a row for each patch that the computer has or lacks. The largest table of all, so narrow.
create table computer_patches (
  computer_id integer not null,
  patch_id integer not null,
  product_id integer not null,
  is_missing boolean not null,
  installed_at timestamptz,
  constraint computer_patches_pkey primary key (computer_id, patch_id, product_id),
  constraint computer_patches_installed_at_check check (not is_missing or installed_at is null),
  constraint computer_patches_computer_id_fkey foreign key (computer_id) references patch_scans (computer_id) on delete cascade,
  constraint computer_patches_patch_id_product_id_fkey
    foreign key (patch_id, product_id) references patch_links (patch_id, product_id)
);

create index computer_patches_patch_id_idx on computer_patches (patch_id, product_id, computer_id);
create index computer_patches_missing_idx on computer_patches (computer_id, patch_id, product_id) where is_missing;

-- One row, once a catalog was imported.
create table patch_catalog (
  id boolean not null default true,
  version text,
  released_at timestamptz,
  imported_at timestamptz not null default now(),
  constraint patch_catalog_pkey primary key (id),
  constraint patch_catalog_id_check check (id)
);

-- A patch scan, or an emergency, makes work of the fix package.
alter table tasks drop constraint tasks_kind_check;
alter table tasks add constraint tasks_kind_check
  check (kind in ('Activation', 'Uninstall', 'Reinstall', 'Rescan', 'Reboot', 'Remediation'));
