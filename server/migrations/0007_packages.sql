-- What can be assigned to groups and installed. The columns from package_name on come from the manifest of the package
-- and from its folder.
create table packages (
  id uuid not null default new_uuid(),
  name text not null,
  package_name text,
  version text,
  revision text,
  author text,
  description text,
  kind text not null default 'Software',
  is_pre_os boolean not null default false,
  operating_systems text[] not null default '{}',
  is_operational boolean not null default false,
  folder text,
  manifest jsonb,
  content_hash bytea,
  hash_state text not null default 'None',
  imported_at timestamptz not null default now(),
  -- The key that signed the package, as the signature names it.
  signature_key_id text,
  -- The trusted public key that the import found to have made the signature.
  signature_key text,
  -- The principal who last changed the content. No foreign key: the entry outlives the principal, like the audit trail.
  importer_id integer,
  importer_name text,
  constraint packages_pkey primary key (id),
  constraint packages_kind_check check (kind in ('Software', 'OperatingSystem', 'LanguagePack', 'AgentTemplate',
    'PxeBootImage', 'InventoryScan', 'PatchScan', 'PatchFix')),
  constraint packages_hash_state_check check (hash_state in ('None', 'Current', 'Mismatch')),
  constraint packages_signature_check check (signature_key is null or signature_key_id is not null),
  constraint packages_importer_check check ((importer_id is null) = (importer_name is null))
);

create unique index packages_identity_key on packages
  (lower(package_name), lower(version), lower(coalesce(revision, '')), operating_systems);
create unique index packages_folder_key on packages (folder);

-- Lists of one kind of package, and their search.
create index packages_kind_idx on packages (kind);
create index packages_search_idx on packages using gin (name gin_trgm_ops, package_name gin_trgm_ops, version gin_trgm_ops);

-- A file of a package. Its content is stored once, under its SHA-256.
create table package_files (
  package_id uuid not null,
  path text not null,
  size bigint not null,
  sha256 bytea not null,
  constraint package_files_pkey primary key (package_id, path),
  constraint package_files_package_id_fkey foreign key (package_id) references packages (id) on delete cascade
);

-- Whether a content is still in use, and downloads by hash.
create index package_files_sha256_idx on package_files (sha256);

-- A package that must be installed before another one, by its name.
create table package_requirements (
  package_id uuid not null,
  required_name text not null,
  constraint package_requirements_pkey primary key (package_id, required_name),
  constraint package_requirements_package_id_fkey foreign key (package_id) references packages (id) on delete cascade
);

-- An edition in an operating system image.
create table os_image_skus (
  id integer generated always as identity,
  package_id uuid not null,
  sku_index integer not null,
  edition text not null,
  constraint os_image_skus_pkey primary key (id),
  constraint os_image_skus_package_id_sku_index_key unique (package_id, sku_index),
  constraint os_image_skus_package_id_fkey foreign key (package_id) references packages (id) on delete cascade
);

-- A package that computers can boot over the network.
create table pxe_boot_images (
  id integer generated always as identity,
  package_id uuid not null,
  constraint pxe_boot_images_pkey primary key (id),
  constraint pxe_boot_images_package_id_key unique (package_id),
  constraint pxe_boot_images_package_id_fkey foreign key (package_id) references packages (id) on delete cascade
);

-- A set of packages that is assigned to groups as a whole.
create table software_classes (
  id integer generated always as identity,
  name text not null,
  description text,
  constraint software_classes_pkey primary key (id)
);

create unique index software_classes_name_key on software_classes (lower(name));

-- A package of a software class.
create table software_class_packages (
  class_id integer not null,
  package_id uuid not null,
  constraint software_class_packages_pkey primary key (class_id, package_id),
  constraint software_class_packages_class_id_fkey
    foreign key (class_id) references software_classes (id) on delete cascade,
  constraint software_class_packages_package_id_fkey
    foreign key (package_id) references packages (id) on delete cascade
);

create index software_class_packages_package_id_idx on software_class_packages (package_id);

-- A tag of packages, depots and computers.
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

-- A tag of a package. A depot gets the packages that share a tag with it, and those with the tag Global.
create table package_tags (
  package_id uuid not null,
  tag_id integer not null,
  constraint package_tags_pkey primary key (package_id, tag_id),
  constraint package_tags_package_id_fkey foreign key (package_id) references packages (id) on delete cascade,
  constraint package_tags_tag_id_fkey foreign key (tag_id) references tags (id) on delete cascade
);

create index package_tags_tag_id_idx on package_tags (tag_id);

-- A tag of a computer that is not a depot, such as its site.
create table computer_tags (
  computer_id integer not null,
  tag_id integer not null,
  constraint computer_tags_pkey primary key (computer_id, tag_id),
  constraint computer_tags_computer_id_fkey foreign key (computer_id) references computers (id) on delete cascade,
  constraint computer_tags_tag_id_fkey foreign key (tag_id) references tags (id) on delete cascade
);

create index computer_tags_tag_id_idx on computer_tags (tag_id);
