select pgboss.create_queue('patch-import', '{"policy": "standard", "notify": true}');

-- Advisories and catalogs from which patches were imported. What they told is kept, so that a later revision of one of
-- them replaces its own part of what is known about a patch, and nothing else.
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

create index patch_documents_content_hash_idx on patch_documents (content_hash);

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

-- What came out of an import so far.
create table patch_imports (
  job_id uuid not null,
  documents integer not null default 0,
  imported integer not null default 0,
  unchanged integer not null default 0,
  refused integer not null default 0,
  faults jsonb not null default '[]',
  constraint patch_imports_pkey primary key (job_id),
  constraint patch_imports_job_id_fkey foreign key (job_id) references background_jobs (id) on delete cascade
);
