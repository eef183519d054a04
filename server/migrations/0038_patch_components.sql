-- Advisories name packages of distributions and the versions that fix vulnerabilities. Scans name packages and versions
-- that computers have or lack. Components are what both have in common.

-- The packages that a patch which a scan has reported consists of.
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

create index patch_components_component_idx on patch_components (component, version_key);

-- What the scans of a product have reported about the components of a patch, in short: most scans report nothing new, and
-- see that here.
alter table patch_links add column package text;
alter table patch_links add column replaced_key text collate "C";

-- The versions with which a patch of an advisory fixes vulnerabilities, each with the packages that have the version.
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

-- What a scan reported about a patch. It counts where neither the catalog nor an advisory says more.
alter table patches add column scan_details jsonb;

update patches set scan_details = jsonb_strip_nulls(jsonb_build_object('qNumber', q_number, 'bulletinId', bulletin_id,
  'bulletinTitle', bulletin_title, 'vendorInformationPage', vendor_information_page, 'vendorSeverity', vendor_severity,
  'releaseDate', release_date, 'sizeBytes', size_bytes, 'cves', nullif(to_jsonb(cves), '[]')))
where is_known_by_scan_only;

-- Documents that name no fix are known, but are no patches.
alter table patch_imports add column without_fix integer not null default 0;

-- The publisher of the advisory that a patch is named after. Two publishers may use the same id.
alter table patches add column publisher text;

create temporary table published on commit drop as
  select described.document_id, described.patch_id, split_part(document.key, ' ', 1) as publisher,
    row_number() over (partition by described.patch_id order by described.document_id) as number
  from patch_document_patches described join patch_documents document on document.id = described.document_id
  where document.format = 'Csaf' and not described.details ? 'qNumber';

update patches set publisher = published.publisher
from published where published.patch_id = patches.id and published.number = 1;

-- Patches of further publishers that were merged into the first. Each has exactly one advisory.
insert into patches (key, name, publisher)
select left(patches.key, 120) || ' ' || left(published.publisher, 130), patches.name, published.publisher
from published join patches on patches.id = published.patch_id where published.number > 1
on conflict do nothing;

alter table published add column own_id integer;
update published set own_id = own.id
from patches merged, patches own
where merged.id = published.patch_id and published.number > 1
  and lower(own.key) = lower(left(merged.key, 120) || ' ' || left(published.publisher, 130));

insert into patch_document_patches (document_id, patch_id, details)
select described.document_id, published.own_id, described.details
from published join patch_document_patches described using (document_id, patch_id) where published.own_id is not null;

insert into patch_document_links (document_id, patch_id, product_id, link_items)
select named.document_id, published.own_id, named.product_id, named.link_items
from published join patch_document_links named using (document_id, patch_id) where published.own_id is not null;

insert into patch_links (patch_id, product_id, link_items)
select patch_id, product_id, link_items from patch_document_links named
where exists (select from published where own_id = named.patch_id) on conflict do nothing;

delete from patch_document_patches described using published
where published.own_id is not null and described.document_id = published.document_id
  and described.patch_id = published.patch_id;

update patches set name = coalesce(details ->> 'name', name), bulletin_id = details ->> 'bulletinId',
  bulletin_title = details ->> 'bulletinTitle', vendor_information_page = details ->> 'vendorInformationPage',
  vendor_severity = details ->> 'vendorSeverity', patch_type = 'SecurityPatch',
  release_date = (details ->> 'releaseDate')::date, update_date = (details ->> 'updateDate')::date,
  bulletin_revise_date = (details ->> 'bulletinReviseDate')::date,
  cvss_score = (details ->> 'cvssScore')::double precision,
  cves = array(select jsonb_array_elements_text(details -> 'cves') order by 1)
from patch_document_patches described
where described.patch_id = patches.id and described.document_id in (
    select document_id from published
    where patch_id in (select patch_id from published where number > 1))
  and not exists (
    select from patch_document_patches other
    where other.patch_id = patches.id and other.document_id <> described.document_id);

-- Advisories that are imported again get their components. Their content is unchanged, so that only this lets them in.
update patch_documents set content_hash = '' where format = 'Csaf';
