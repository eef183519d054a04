-- The package from which an installed product is built, as a computer reports it. Advisories of distributions name these
-- packages. The product stays the same entry with and without them, so an agent that begins to report them changes nothing
-- else. Different computers may disagree: then all count, so no computer can hide what another one reports.
create table software_sources (
  id integer generated always as identity,
  product_id integer not null,
  name text not null,
  -- With the epoch, if there is one.
  version text not null,
  -- The computer that reported it first. It counts against the quota of that computer. No foreign key: computers are deleted.
  reported_by integer not null,
  constraint software_sources_pkey primary key (id),
  constraint software_sources_product_id_name_version_key unique (product_id, name, version),
  constraint software_sources_product_id_fkey foreign key (product_id) references software_products (id) on delete cascade
);

-- How many sources a computer has added, for its quota.
create index software_sources_reported_by_idx on software_sources (reported_by);

-- Where advisories or facts about vulnerabilities come from, such as the security tracker of Debian. Each import loads a new
-- snapshot, which takes the place of the earlier one as a whole.
create table vulnerability_sources (
  id integer generated always as identity,
  name text not null,
  format text not null,
  -- The snapshot that counts. Rows of others are being loaded, or were replaced and are deleted.
  snapshot integer not null default 0,
  -- The hash of all documents of the snapshot.
  content_hash bytea,
  imported_at timestamptz,
  constraint vulnerability_sources_pkey primary key (id),
  constraint vulnerability_sources_format_check check (format in ('Osv', 'DebianTracker', 'Kev', 'Epss', 'Cvss'))
);

create unique index vulnerability_sources_name_key on vulnerability_sources (lower(name));

create sequence vulnerability_snapshots as integer;

-- A vulnerability that an advisory names. What facts say about it is merged here from all sources.
create table vulnerabilities (
  id integer generated always as identity,
  -- The number of the CVE, or the id of an advisory that names none.
  key text not null,
  title text,
  published_on date,
  severity text not null default 'Unknown',
  severity_rank smallint not null generated always as (
    case severity when 'Critical' then 4 when 'High' then 3 when 'Medium' then 2 when 'Low' then 1 else 0 end) stored,
  cvss_score real,
  cvss_vector text,
  -- The probability that it is exploited within 30 days, and the share of all vulnerabilities with a lower one.
  epss_score real,
  epss_percentile real,
  -- Since when it is known to be exploited, and until when authorities have to fix it.
  kev_added_on date,
  kev_due_on date,
  kev_ransomware boolean,
  -- When the first computer of the fleet was found to be affected, and since when none is.
  first_seen_at timestamptz,
  fixed_at timestamptz,
  -- As of the last count. Open are those that no exception covers.
  affected_computers integer not null default 0,
  open_computers integer not null default 0,
  has_fix boolean not null default false,
  constraint vulnerabilities_pkey primary key (id),
  constraint vulnerabilities_key_key unique (key),
  constraint vulnerabilities_severity_check check (severity in ('Critical', 'High', 'Medium', 'Low', 'Unknown'))
);

-- The list of vulnerabilities that the fleet has or had (listVulnerabilities).
create index vulnerabilities_seen_idx on vulnerabilities (id) where first_seen_at is not null;

-- What a source says about a vulnerability, whether an advisory names it or not.
create table vulnerability_facts (
  source_id integer not null,
  snapshot integer not null,
  key text not null,
  title text,
  published_on date,
  severity text,
  cvss_score real,
  cvss_vector text,
  epss_score real,
  epss_percentile real,
  kev_added_on date,
  kev_due_on date,
  kev_ransomware boolean,
  constraint vulnerability_facts_pkey primary key (key, source_id, snapshot),
  constraint vulnerability_facts_source_id_fkey
    foreign key (source_id) references vulnerability_sources (id) on delete cascade
);

create index vulnerability_facts_source_id_idx on vulnerability_facts (source_id, snapshot);

-- A range of versions of a package of a distribution that has a vulnerability.
create table vulnerable_ranges (
  id bigint generated always as identity,
  source_id integer not null,
  snapshot integer not null,
  -- Type, platform and name of the package, as in patch_components.
  component text collate "C" not null,
  vulnerability_id integer not null,
  advisory text not null,
  -- The first version that has it; null for all versions before the fixed one.
  introduced_key text collate "C",
  -- The first version that does not have it; null if there is none yet.
  fixed_key text collate "C",
  fixed_version text,
  -- The last version that has it, if an advisory names that one instead.
  last_affected_key text collate "C",
  -- Packages of an RPM module: the first number of the version. Versions of other streams cannot be compared.
  stream text not null default '',
  constraint vulnerable_ranges_pkey primary key (id),
  constraint vulnerable_ranges_source_id_fkey
    foreign key (source_id) references vulnerability_sources (id) on delete cascade,
  constraint vulnerable_ranges_vulnerability_id_fkey foreign key (vulnerability_id) references vulnerabilities (id)
);

-- Installed components are compared with the ranges of their package (compareComponents).
create index vulnerable_ranges_component_idx on vulnerable_ranges (component);
create index vulnerable_ranges_source_id_idx on vulnerable_ranges (source_id, snapshot);
create index vulnerable_ranges_vulnerability_id_idx on vulnerable_ranges (vulnerability_id);

-- The release of a distribution that computers with this operating system have, by the name that advisories use; null if no
-- advisory is for it.
create table system_platforms (
  os_name text not null,
  os_version text not null,
  platform text collate "C",
  constraint system_platforms_pkey primary key (os_name, os_version)
);

-- A package of a distribution in a version that is installed on a computer with this platform. Packages are compared with
-- advisories once, whatever the number of computers that have them.
create table installed_components (
  id integer generated always as identity,
  product_id integer not null,
  platform text collate "C" not null,
  component text collate "C" not null,
  version text not null,
  version_key text collate "C" not null,
  stream text not null default '',
  -- SourcePackage: an agent reported the package from which the product is built. BinaryPackage: advisories name the product
  -- itself. PackageName: nothing was reported; the package is assumed to be named like the product.
  match_kind text not null,
  -- What was reported; null for PackageName.
  software_source_id integer,
  constraint installed_components_pkey primary key (id),
  constraint installed_components_key unique nulls not distinct (product_id, platform, component, software_source_id),
  constraint installed_components_match_kind_check check (match_kind in ('SourcePackage', 'BinaryPackage', 'PackageName')),
  constraint installed_components_product_id_fkey
    foreign key (product_id) references software_products (id) on delete cascade,
  constraint installed_components_software_source_id_fkey
    foreign key (software_source_id) references software_sources (id) on delete cascade
);

-- A new advisory is compared with the versions of its package (compareComponents).
create index installed_components_component_idx on installed_components (component, version_key);
create index installed_components_software_source_id_idx on installed_components (software_source_id);

-- An installed component that has a vulnerability by the advisories of a source.
create table vulnerable_components (
  component_id integer not null,
  vulnerability_id integer not null,
  source_id integer not null,
  advisory text not null,
  fixed_version text,
  first_seen_at timestamptz not null default now(),
  constraint vulnerable_components_pkey primary key (component_id, vulnerability_id, source_id),
  constraint vulnerable_components_component_id_fkey
    foreign key (component_id) references installed_components (id) on delete cascade,
  constraint vulnerable_components_vulnerability_id_fkey
    foreign key (vulnerability_id) references vulnerabilities (id),
  constraint vulnerable_components_source_id_fkey
    foreign key (source_id) references vulnerability_sources (id) on delete cascade
);

create index vulnerable_components_vulnerability_id_idx on vulnerable_components (vulnerability_id, component_id);
create index vulnerable_components_source_id_idx on vulnerable_components (source_id);

-- A decision that a vulnerability needs no work, for the fleet, a group with the groups below it, or a computer.
create table vulnerability_exceptions (
  id integer generated always as identity,
  vulnerability_id integer not null,
  status text not null,
  reason text not null,
  group_id uuid,
  computer_id integer,
  -- The package that it is for; null for all packages. The platform is a release of a distribution, or a distribution with all of its
  -- releases. Without a version, it is for all versions.
  package_type text,
  package_platform text collate "C",
  package_name text,
  package_version text,
  package_version_key text collate "C",
  -- Who decided. The name stays when the principal is deleted.
  approved_by text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  constraint vulnerability_exceptions_pkey primary key (id),
  constraint vulnerability_exceptions_status_check check (status in ('NotAffected', 'Accepted', 'FalsePositive')),
  constraint vulnerability_exceptions_accepted_check check (status <> 'Accepted' or expires_at is not null),
  constraint vulnerability_exceptions_scope_check check (group_id is null or computer_id is null),
  constraint vulnerability_exceptions_package_check check (
    num_nulls(package_type, package_platform, package_name) in (0, 3)
    and (package_version is null) = (package_version_key is null) and (package_version is null or package_name is not null)),
  constraint vulnerability_exceptions_vulnerability_id_fkey foreign key (vulnerability_id) references vulnerabilities (id),
  constraint vulnerability_exceptions_group_id_fkey foreign key (group_id) references groups (id) on delete cascade,
  constraint vulnerability_exceptions_computer_id_fkey
    foreign key (computer_id) references computers (id) on delete cascade
);

create index vulnerability_exceptions_vulnerability_id_idx on vulnerability_exceptions (vulnerability_id);
create index vulnerability_exceptions_group_id_idx on vulnerability_exceptions (group_id);
create index vulnerability_exceptions_computer_id_idx on vulnerability_exceptions (computer_id);

-- One row: how far inventories have been compared with advisories, and when computers were last counted.
create table vulnerability_state (
  id boolean not null default true,
  -- Inventories that arrived before this time have been compared.
  compared_until timestamptz,
  counted_at timestamptz,
  -- Something has changed that the last count does not include.
  count_is_due boolean not null default false,
  constraint vulnerability_state_pkey primary key (id),
  constraint vulnerability_state_id_check check (id)
);

insert into vulnerability_state default values;

-- The result of an import.
create table vulnerability_imports (
  job_id uuid not null,
  source_name text not null,
  format text not null,
  documents integer not null default 0,
  vulnerabilities integer not null default 0,
  ranges integer not null default 0,
  -- Entries that were not imported because they are for a platform that Muster does not compare.
  ignored integer not null default 0,
  refused integer not null default 0,
  faults jsonb not null default '[]',
  is_unchanged boolean not null default false,
  constraint vulnerability_imports_pkey primary key (job_id),
  constraint vulnerability_imports_job_id_fkey foreign key (job_id) references background_jobs (id) on delete cascade
);

select pgboss.create_queue('vulnerability-import', '{"policy": "standard", "notify": true}');
