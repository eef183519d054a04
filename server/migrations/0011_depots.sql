-- The state of a depot server.
create table depots (
  computer_id integer not null,
  -- Hash of the credential of the depot; null if it has none.
  secret_hash bytea,
  heartbeat_at timestamptz,
  version text,
  next_sync_at timestamptz,
  -- Where computers reach the depot, as the depot itself reports.
  url text,
  constraint depots_pkey primary key (computer_id),
  constraint depots_computer_id_fkey foreign key (computer_id) references computers (id) on delete cascade
);

-- A tag of a depot. The depot gets the packages that share it.
create table depot_tags (
  computer_id integer not null,
  tag_id integer not null,
  constraint depot_tags_pkey primary key (computer_id, tag_id),
  constraint depot_tags_computer_id_fkey foreign key (computer_id) references computers (id) on delete cascade,
  constraint depot_tags_tag_id_fkey foreign key (tag_id) references tags (id) on delete cascade
);

create index depot_tags_tag_id_idx on depot_tags (tag_id);

-- One synchronisation of a depot: requested, running or ended.
create table sync_jobs (
  id uuid not null default new_uuid(),
  computer_id integer not null,
  trigger text not null,
  status text not null default 'Pending',
  requested_at timestamptz not null default now(),
  started_at timestamptz,
  finished_at timestamptz,
  message text,
  packages integer not null default 0,
  files_transferred integer not null default 0,
  bytes_transferred bigint not null default 0,
  constraint sync_jobs_pkey primary key (id),
  constraint sync_jobs_trigger_check check (trigger in ('Manual', 'Schedule')),
  constraint sync_jobs_status_check check (status in ('Pending', 'Running', 'Success', 'Failed')),
  constraint sync_jobs_computer_id_fkey foreign key (computer_id) references computers (id) on delete cascade
);

-- The jobs of a depot, newest last.
create index sync_jobs_computer_id_idx on sync_jobs (computer_id, id);

-- One waiting job is enough: it transfers everything that is present when it runs.
create unique index sync_jobs_waiting_key on sync_jobs (computer_id) where status = 'Pending';
create unique index sync_jobs_running_key on sync_jobs (computer_id) where status = 'Running';
