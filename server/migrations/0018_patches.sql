-- A version of a product that has patches.
create table patch_products (
  id integer generated always as identity,
  name text not null,
  vendor text,
  constraint patch_products_pkey primary key (id),
  constraint patch_products_name_check check (name ~ '\S' and length(name) <= 500)
);

create unique index patch_products_name_key on patch_products (lower(name));

-- Search for a part of a name.
create index patch_products_search_idx on patch_products using gin (name gin_trgm_ops);

-- What a vendor publishes. The same patch may be for several products, and is approved for each of them separately.
create table patches (
  id integer generated always as identity,
  uid uuid not null default new_uuid(),
  -- The name that catalogs and scans use, such as KB5034441 or DSA-5532-1.
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
  -- True until a catalog or advisory describes the patch.
  is_known_by_scan_only boolean not null default false,
  created_at timestamptz not null default now(),
  -- What a scan reported about a patch. It counts where neither the catalog nor an advisory says more.
  scan_details jsonb,
  -- The publisher of the advisory that a patch is named after. Two publishers may use the same id.
  publisher text,
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

-- Filters that compare the whole number or bulletin.
create index patches_q_number_idx on patches (lower(q_number));
create index patches_bulletin_id_idx on patches (lower(bulletin_id));

-- Search for a part of a name or title, and for a CVE.
create index patches_search_idx on patches using gin (name gin_trgm_ops, bulletin_title gin_trgm_ops);
create index patches_cves_idx on patches using gin (cves);

-- Searches for a part of a number or of a bulletin. The indexes on lower(…) serve the filters that compare the whole.
create index patches_number_search_idx on patches using gin (q_number gin_trgm_ops, bulletin_id gin_trgm_ops);

-- A patch for one product. It is approved, put into groups, and found by scans.
create table patch_links (
  patch_id integer not null,
  product_id integer not null,
  link_items integer not null default 1,
  approved_at timestamptz,
  -- A summary of what scans have reported about the components of the patch. Most scans report nothing new, and a
  -- comparison with the summary is enough to see that.
  package text,
  replaced_key text collate "C",
  -- The computer whose scan added the link; null if a document names it. It counts against the quota of that computer.
  -- No foreign key: the purge deletes the link when no computer reports it any more.
  reported_by integer,
  constraint patch_links_pkey primary key (patch_id, product_id),
  constraint patch_links_link_items_check check (link_items >= 0),
  constraint patch_links_patch_id_fkey foreign key (patch_id) references patches (id) on delete cascade,
  constraint patch_links_product_id_fkey foreign key (product_id) references patch_products (id) on delete cascade
);

create index patch_links_product_id_idx on patch_links (product_id, patch_id);

-- How many links a computer has added, for its quota.
create index patch_links_reported_by_idx on patch_links (reported_by) where reported_by is not null;

-- The last patch scan of a computer.
create table patch_scans (
  computer_id integer not null,
  scanned_at timestamptz not null,
  definition_at timestamptz,
  definition_version text,
  -- How many patches of the last scan exceeded a quota and were not stored.
  ignored_patches integer not null default 0,
  constraint patch_scans_pkey primary key (computer_id),
  constraint patch_scans_computer_id_fkey foreign key (computer_id) references computers (id) on delete cascade
);

-- A patch that the last scan found on a computer, or found missing. The table is the largest of all, so it is narrow.
create table computer_patches (
  computer_id integer not null,
  patch_id integer not null,
  product_id integer not null,
  is_missing boolean not null,
  installed_at timestamptz,
  -- How the computer itself spells the patch and the product, if the catalog spells them otherwise. Only case differs.
  reported_key text,
  reported_product text,
  constraint computer_patches_pkey primary key (computer_id, patch_id, product_id),
  constraint computer_patches_installed_at_check check (not is_missing or installed_at is null),
  constraint computer_patches_computer_id_fkey
    foreign key (computer_id) references patch_scans (computer_id) on delete cascade,
  constraint computer_patches_patch_id_product_id_fkey
    foreign key (patch_id, product_id) references patch_links (patch_id, product_id)
);

create index computer_patches_patch_id_idx on computer_patches (patch_id, product_id, computer_id);

-- The missing patches of a computer.
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

-- An advisory or catalog from which patches were imported. Its content is stored so that a later revision replaces its
-- own part of what is known about a patch, and nothing else.
create table patch_documents (
  id integer generated always as identity,
  format text not null,
  -- Who publishes it and under which id, in lower case.
  key text not null,
  revised_at timestamptz not null,
  content_hash bytea not null,
  imported_at timestamptz not null default now(),
  constraint patch_documents_pkey primary key (id),
  constraint patch_documents_key_key unique (key),
  constraint patch_documents_format_check check (format in ('Csaf', 'Muster'))
);

-- Whether a document was imported already.
create index patch_documents_content_hash_idx on patch_documents (content_hash);

-- What a document says about a patch.
create table patch_document_patches (
  document_id integer not null,
  patch_id integer not null,
  details jsonb not null,
  constraint patch_document_patches_pkey primary key (document_id, patch_id),
  constraint patch_document_patches_document_id_fkey
    foreign key (document_id) references patch_documents (id) on delete cascade,
  constraint patch_document_patches_patch_id_fkey foreign key (patch_id) references patches (id) on delete cascade
);

create index patch_document_patches_patch_id_idx on patch_document_patches (patch_id);

-- A product for which a document names a patch.
create table patch_document_links (
  document_id integer not null,
  patch_id integer not null,
  product_id integer not null,
  link_items integer not null,
  constraint patch_document_links_pkey primary key (document_id, patch_id, product_id),
  constraint patch_document_links_document_id_fkey
    foreign key (document_id, patch_id) references patch_document_patches (document_id, patch_id) on delete cascade,
  constraint patch_document_links_product_id_fkey
    foreign key (product_id) references patch_products (id) on delete cascade
);

create index patch_document_links_patch_id_idx on patch_document_links (patch_id, product_id);
create index patch_document_links_product_id_idx on patch_document_links (product_id);

-- A package that a patch consists of, as scans have reported it. Advisories name packages of distributions and the
-- versions that fix vulnerabilities; scans name packages and versions that computers have or lack. Components are what
-- both have in common.
create table patch_components (
  patch_id integer not null,
  -- Type, platform and name, such as deb/debian-12/openssl.
  component text collate "C" not null,
  -- Sorts as the package manager orders versions.
  version_key text collate "C" not null,
  -- The lowest version that an installation of the patch has replaced. Null if no scan has reported one.
  replaced_key text collate "C",
  constraint patch_components_pkey primary key (patch_id, component),
  constraint patch_components_patch_id_fkey foreign key (patch_id) references patches (id) on delete cascade
);

-- Patches with a component at a version or above.
create index patch_components_component_idx on patch_components (component, version_key);

-- A version with which a patch of an advisory fixes vulnerabilities, with the packages that have the version.
create table patch_document_fixes (
  document_id integer not null,
  patch_id integer not null,
  number integer not null,
  version_key text collate "C" not null,
  -- Whether later versions fix the same vulnerabilities.
  includes_later boolean not null,
  components text[] collate "C" not null,
  -- Which vulnerabilities, if not all of the patch.
  details jsonb,
  constraint patch_document_fixes_pkey primary key (document_id, patch_id, number),
  constraint patch_document_fixes_document_id_fkey
    foreign key (document_id, patch_id) references patch_document_patches (document_id, patch_id) on delete cascade
);

-- Scans search here while an import runs, so the index has no list of pending entries that each search reads.
create index patch_document_fixes_components_idx on patch_document_fixes using gin (components) with (fastupdate = off);

-- The result of an import so far.
create table patch_imports (
  job_id uuid not null,
  documents integer not null default 0,
  imported integer not null default 0,
  unchanged integer not null default 0,
  refused integer not null default 0,
  faults jsonb not null default '[]',
  -- Documents that name no fix are known, but are not patches.
  without_fix integer not null default 0,
  constraint patch_imports_pkey primary key (job_id),
  constraint patch_imports_job_id_fkey foreign key (job_id) references background_jobs (id) on delete cascade
);

-- A file of a patch as a document names it: for one product, at one address, with the hash of its content.
create table patch_document_files (
  document_id integer not null,
  patch_id integer not null,
  product_id integer not null,
  sha256 bytea not null,
  name text not null,
  url text not null,
  constraint patch_document_files_pkey primary key (document_id, patch_id, product_id, sha256),
  constraint patch_document_files_link_fkey foreign key (document_id, patch_id, product_id)
    references patch_document_links (document_id, patch_id, product_id) on delete cascade
);

create index patch_document_files_patch_id_idx on patch_document_files (patch_id);

-- What the service knows about one content. Several patches may have the same file.
create table patch_contents (
  sha256 bytea not null,
  -- Both are null until the content is in the package store.
  size bigint,
  stored_at timestamptz,
  -- The last job that was to download it. Null if no download was requested, or not since a day after the last failure.
  job_id uuid,
  -- Interrupted downloads of this job.
  interruptions integer not null default 0,
  constraint patch_contents_pkey primary key (sha256),
  constraint patch_contents_sha256_check check (length(sha256) = 32),
  constraint patch_contents_stored_check check ((size is null) = (stored_at is null)),
  constraint patch_contents_job_id_fkey foreign key (job_id) references background_jobs (id) on delete set null
);

create index patch_contents_job_id_idx on patch_contents (job_id);

-- A file of a patch for a product, from the document that takes precedence.
create table patch_files (
  patch_id integer not null,
  product_id integer not null,
  sha256 bytea not null,
  name text not null,
  url text not null,
  constraint patch_files_pkey primary key (patch_id, product_id, sha256),
  constraint patch_files_patch_id_product_id_fkey
    foreign key (patch_id, product_id) references patch_links (patch_id, product_id) on delete cascade,
  constraint patch_files_sha256_fkey foreign key (sha256) references patch_contents (sha256)
);

create index patch_files_sha256_idx on patch_files (sha256);
