-- What the API shows of a background job. The job engine stores its own state of the same job under the same id.
create table background_jobs (
  id uuid not null default new_uuid(),
  queue text not null,
  -- What the job works on, as people read it.
  subject text not null,
  input jsonb not null,
  status text not null default 'Pending',
  progress integer,
  message text,
  -- Attempts that began and neither ended nor were returned. A job that ends the service every time must not be retried
  -- forever.
  attempts integer not null default 0,
  -- The attempt that may write the result. An older one that was abandoned, but still runs, has another id.
  attempt_id uuid,
  package_id uuid,
  requested_at timestamptz not null default now(),
  started_at timestamptz,
  finished_at timestamptz,
  -- What the attempts at a job have done so far: an array of {"atUtc", "text"}, oldest first.
  log jsonb not null default '[]',
  -- Who started a job, and the role that this needs. Without the role, the job has no effect. There is no foreign key:
  -- a job outlives its principal, and ends because of that.
  principal_id integer,
  required_role text,
  constraint background_jobs_pkey primary key (id),
  constraint background_jobs_status_check check (status in ('Pending', 'Running', 'Success', 'Failed')),
  constraint background_jobs_progress_check check (progress between 0 and 100),
  constraint background_jobs_finished_check check ((finished_at is not null) = (status in ('Success', 'Failed'))),
  constraint background_jobs_package_id_fkey foreign key (package_id) references packages (id) on delete set null,
  constraint background_jobs_starter_check check ((principal_id is null) = (required_role is null))
);

-- Jobs that wait or run, and the purge of ended ones.
create index background_jobs_unfinished_idx on background_jobs (id) where status in ('Pending', 'Running');
create index background_jobs_finished_at_idx on background_jobs (finished_at);
create index background_jobs_package_id_idx on background_jobs (package_id);

create trigger background_jobs_require_active_principal before insert on background_jobs
  for each row when (new.principal_id is not null) execute function require_active_principal();

select pgboss.create_queue(name, '{"policy": "standard", "notify": true}')
from unnest(array['package-import', 'package-hash', 'depot-sync', 'patch-download', 'patch-import']) as name;
