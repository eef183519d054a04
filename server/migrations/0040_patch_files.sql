-- Files of patches, as the documents name them: for one product, at one address, with the hash of their content.
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

-- What the service knows about each content. Several patches may have the same file.
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

-- The files of a patch for a product: those of the document that takes precedence.
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
