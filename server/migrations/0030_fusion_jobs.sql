alter table fusion_devices
  -- Its work belongs to this run: such an agent has no processes that could be told apart.
  add column run_id uuid not null default gen_random_uuid(),
  -- Something has changed the computer since its last inventory.
  add column is_inventory_due boolean not null default false;

-- A piece of work, as a device was handed it.
create table fusion_jobs (
  id uuid not null default gen_random_uuid(),
  device_id integer not null,
  work_id bigint not null,
  attempt integer not null,
  -- Which action of the job is which command, and what its return codes mean.
  plan jsonb not null,
  -- The return code of each action, by its number.
  exit_codes jsonb not null default '{}',
  output text not null default '',
  created_at timestamptz not null default now(),
  constraint fusion_jobs_pkey primary key (id),
  constraint fusion_jobs_work_id_attempt_key unique (work_id, attempt),
  constraint fusion_jobs_device_id_fkey foreign key (device_id) references fusion_devices (id) on delete cascade,
  constraint fusion_jobs_work_id_fkey foreign key (work_id) references work (id) on delete cascade
);

create index fusion_jobs_device_id_idx on fusion_jobs (device_id);

-- By what such agents know the content of files, which we know by its SHA-256.
create table file_digests (
  sha256 bytea not null,
  sha512 bytea not null,
  constraint file_digests_pkey primary key (sha256),
  constraint file_digests_length_check check (length(sha256) = 32 and length(sha512) = 64)
);

-- The parts in which they fetch it, each by the hash of its bytes as they are sent.
create table file_parts (
  sha256 bytea not null,
  position integer not null,
  part_sha512 bytea not null,
  constraint file_parts_pkey primary key (sha256, position),
  constraint file_parts_length_check check (length(part_sha512) = 64),
  constraint file_parts_sha256_fkey foreign key (sha256) references file_digests (sha256) on delete cascade
);

create index file_parts_part_sha512_idx on file_parts (part_sha512);
