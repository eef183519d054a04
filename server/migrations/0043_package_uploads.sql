-- A file that a principal uploads to make a package of it. Its bytes are in the package store, in a file with the name of the id.
-- The row exists before the file and ends with the import; a file without a row is deleted.
create table package_uploads (
  id uuid not null default new_uuid(),
  principal_id integer not null,
  file_name text not null,
  size bigint not null,
  -- Chosen by the client, which finds its upload again with it.
  fingerprint text,
  -- The hash that the client announced.
  expected_sha256 bytea,
  -- Bytes that are on disk. What the file has beyond them was not confirmed, and is written again.
  received bigint not null default 0,
  -- The state of the SHA-256 after these bytes, with which any process continues.
  hash_state bytea,
  -- The hash of the whole file, once it is complete.
  sha256 bytea,
  created_at timestamptz not null default now(),
  -- When the upload is deleted unless something is received or imported before.
  expires_at timestamptz not null,
  -- The request that receives bytes, and until when no other may.
  writer_id uuid,
  writer_until timestamptz,
  -- The job that imports the upload, or has failed to.
  import_id uuid,
  constraint package_uploads_pkey primary key (id),
  constraint package_uploads_size_check check (size > 0),
  constraint package_uploads_received_check check (received between 0 and size),
  constraint package_uploads_complete_check check ((sha256 is not null) = (received = size)),
  constraint package_uploads_writer_check check ((writer_id is null) = (writer_until is null)),
  constraint package_uploads_principal_id_fkey foreign key (principal_id) references principals (id) on delete cascade,
  constraint package_uploads_import_id_fkey foreign key (import_id) references background_jobs (id) on delete set null
);

create index package_uploads_principal_id_idx on package_uploads (principal_id);
create index package_uploads_import_id_idx on package_uploads (import_id);

-- The list of all uploads (listPackageUploads).
create index package_uploads_created_at_idx on package_uploads (created_at, id);

create trigger package_uploads_require_active_principal before insert on package_uploads
  for each row execute function require_active_principal();

select pgboss.create_queue('package-upload', '{"policy": "standard", "notify": true}');
