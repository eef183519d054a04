-- What was published for a computer through one of its groups, or without a group for a computer that is in none.
create table activations (
  id bigint generated always as identity,
  computer_id integer not null,
  group_id uuid,
  software boolean not null default false,
  pxe boolean not null default false,
  pull boolean not null default false,
  activated_at timestamptz not null default now(),
  constraint activations_pkey primary key (id),
  constraint activations_computer_id_group_id_key unique nulls not distinct (computer_id, group_id),
  constraint activations_bits_check check (software or pxe or pull),
  constraint activations_computer_id_fkey foreign key (computer_id) references computers (id) on delete cascade,
  constraint activations_group_id_fkey foreign key (group_id) references groups (id) on delete cascade
);

create index activations_group_id_idx on activations (group_id);

-- Computers on which PXE is active.
create index activations_pxe_idx on activations (computer_id) where pxe;

-- The state of one package on one computer.
create table deployments (
  computer_id integer not null,
  package_id uuid not null,
  -- How the last reported work ended.
  result text,
  -- Set while work waits for the agent or is under way.
  pending_since timestamptz,
  status text not null
    generated always as (case when result is null or pending_since is not null then 'Pending' else result end) stored,
  installation_state text not null default 'None',
  -- The distribution commands that were last carried out.
  current_mode integer not null default 0,
  -- Hash of the installed content.
  installed_hash bytea,
  installed_at timestamptz,
  failed_at timestamptz,
  error_text text,
  constraint deployments_pkey primary key (computer_id, package_id),
  constraint deployments_result_check check (result in ('Success', 'Failed')),
  constraint deployments_installation_state_check
    check (installation_state in ('None', 'Installed', 'NotInstalled', 'Uninstalled')),
  constraint deployments_computer_id_fkey foreign key (computer_id) references computers (id) on delete cascade,
  constraint deployments_package_id_fkey foreign key (package_id) references packages (id) on delete cascade
) with (
  fillfactor = 80,
  autovacuum_vacuum_scale_factor = 0.05,
  autovacuum_analyze_scale_factor = 0.02,
  autovacuum_vacuum_insert_scale_factor = 0.05
);

create index deployments_package_id_idx on deployments (package_id, status, computer_id);

-- Sweeps of failed and long pending deployments, and of agents that need attention. Each index has only the few rows of
-- interest, so reports that change nothing about them cost nothing here.
create index deployments_failed_idx on deployments (computer_id, package_id) where status = 'Failed';
create index deployments_pending_since_idx on deployments (pending_since, computer_id, package_id)
  where pending_since is not null;

-- What one request has started. Whether a task runs, is finished or has failed follows from its work items.
create table tasks (
  id uuid not null default new_uuid(),
  kind text not null,
  computer_id integer,
  group_id uuid,
  package_id uuid,
  created_at timestamptz not null default now(),
  -- Each release of a rollout is a task. No foreign key: inserting a task would lock the rollout.
  rollout_id uuid,
  -- Name of the principal whose request created the task; null for tasks that the service creates.
  created_by text,
  -- Two people of an identity provider may have the same name, so the creator is compared by id. There is no foreign
  -- key, because tasks and rollouts outlive principals, whose ids are never used again.
  created_by_id integer,
  constraint tasks_pkey primary key (id),
  constraint tasks_computer_id_fkey foreign key (computer_id) references computers (id) on delete cascade,
  constraint tasks_group_id_fkey foreign key (group_id) references groups (id) on delete set null,
  constraint tasks_package_id_fkey foreign key (package_id) references packages (id) on delete set null,
  constraint tasks_kind_check
    check (kind in ('Activation', 'Uninstall', 'Reinstall', 'Rescan', 'Reboot', 'Remediation'))
);

create index tasks_computer_id_idx on tasks (computer_id);
create index tasks_group_id_idx on tasks (group_id);
create index tasks_package_id_idx on tasks (package_id);

-- Tasks are listed by the time of their creation. Ids are almost in this order, but only almost.
create index tasks_created_at_idx on tasks (created_at, id);

-- The time line of a rollout.
create index tasks_rollout_id_idx on tasks (rollout_id) where rollout_id is not null;

-- An activation of a large group. A periodic task creates its work in slices, in the order of the requests.
create table sliced_activations (
  task_id uuid not null,
  requested_at timestamptz not null default now(),
  -- What was requested.
  software boolean not null,
  pxe boolean not null,
  pull boolean not null,
  is_global boolean not null,
  wake_at timestamptz,
  power_action text,
  timeout_minutes integer,
  reminder_minutes integer,
  -- The computers of the group when it was requested, in their order, without those that were withdrawn since. The
  -- first `completed_count` of them have their work. Empty when the activation has ended.
  computer_ids integer[] not null,
  computer_count integer not null,
  completed_count integer not null default 0,
  -- Computers that were deactivated before it was their turn.
  withdrawn_count integer not null default 0,
  -- Failed attempts at the next slice.
  failures integer not null default 0,
  result text,
  finished_at timestamptz,
  -- The computers from which the activation may remove software, because they were counted against a quota when it was
  -- requested. Null: any, because the requester had no quota.
  removal_computer_ids integer[],
  -- What an approved activation may give to its computers. Null: anything that is assigned.
  approved_content text[],
  constraint sliced_activations_pkey primary key (task_id),
  constraint sliced_activations_task_id_fkey foreign key (task_id) references tasks (id) on delete cascade,
  constraint sliced_activations_bits_check check (software or pxe or pull),
  constraint sliced_activations_result_check check (result in ('Completed', 'Cancelled', 'Failed')),
  constraint sliced_activations_finished_check check ((finished_at is null) = (result is null)),
  constraint sliced_activations_power_action_check check (power_action in ('Shutdown', 'Reboot', 'LogOff', 'None'))
);

-- The next activation to continue.
create index sliced_activations_unfinished_idx on sliced_activations (requested_at, task_id) where finished_at is null;

-- A pending reinstall of a package on a computer: a group of its own, below the group that assigns the package.
create table reinstall_groups (
  group_id uuid not null,
  computer_id integer not null,
  package_id uuid not null,
  requested_at timestamptz not null default now(),
  constraint reinstall_groups_pkey primary key (group_id),
  constraint reinstall_groups_computer_id_package_id_key unique (computer_id, package_id),
  constraint reinstall_groups_group_id_fkey foreign key (group_id) references groups (id) on delete cascade,
  constraint reinstall_groups_computer_id_fkey foreign key (computer_id) references computers (id) on delete cascade,
  constraint reinstall_groups_package_id_fkey foreign key (package_id) references packages (id) on delete cascade
);

create index reinstall_groups_package_id_idx on reinstall_groups (package_id);

-- One work item of one agent. A Due item waits; a Leased item is with the agent.
create table work (
  id bigint generated always as identity,
  computer_id integer not null,
  -- Null for Power and Refresh.
  package_id uuid,
  task_id uuid not null,
  kind text not null,
  state text not null default 'Due',
  -- The distribution commands that it carries out.
  commands integer not null default 0,
  -- The group whose assignment brings it.
  group_id uuid,
  -- Set for a reinstall that was requested. When its group is deleted, the work is cancelled.
  reinstall_group_id uuid,
  -- How often it was handed out. A report names the attempt it is about.
  attempt integer not null default 0,
  not_before timestamptz not null default now(),
  -- The schedule, and the end of the window that not_before opens.
  schedule text not null default '',
  window_ends_at timestamptz,
  leased_until timestamptz,
  -- The process of the agent that has it. A closed item has a run only while a report of it is still expected.
  run_id uuid,
  progress integer,
  revoke_count integer not null default 0,
  revoke_date timestamptz,
  postponements integer not null default 0,
  optional_date timestamptz,
  power_action text,
  timeout_minutes integer,
  reminder_minutes integer,
  created_at timestamptz not null default now(),
  closed_at timestamptz,
  -- How often it failed. An attempt that was lost with the agent does not count.
  failures integer not null default 0,
  -- Hash of the package content that the agent got. An import may replace the content while the agent works.
  content_hash bytea,
  -- The patches that a fix package was to install when the agent began the work; null for other work.
  patch_ids integer[],
  -- Why work waits for not_before: the user has postponed it, or it is retried after a failure. Null: its schedule, or
  -- the time for which it was requested.
  delayed_by text,
  -- The rollout that created the work. No foreign key: inserting work would lock the rollout for each row.
  rollout_id uuid,
  -- After this time a leased item does not start, because its maintenance window would end before it.
  start_by timestamptz,
  constraint work_pkey primary key (id),
  constraint work_kind_check
    check (kind in ('Install', 'Update', 'Uninstall', 'Reinstall', 'OperatingSystem', 'Power', 'Refresh')),
  constraint work_package_check check ((package_id is null) = (kind in ('Power', 'Refresh'))),
  constraint work_state_check check (state in ('Due', 'Leased', 'Success', 'Failed', 'Cancelled')),
  constraint work_closed_check check ((closed_at is null) = (state in ('Due', 'Leased'))),
  constraint work_lease_check check (state <> 'Leased' or (leased_until is not null and attempt > 0)),
  constraint work_power_check check ((power_action is not null) = (kind = 'Power')),
  constraint work_power_action_check check (power_action in ('Shutdown', 'Reboot', 'LogOff', 'None')),
  constraint work_computer_id_fkey foreign key (computer_id) references computers (id) on delete cascade,
  constraint work_package_id_fkey foreign key (package_id) references packages (id) on delete cascade,
  constraint work_task_id_fkey foreign key (task_id) references tasks (id) on delete cascade,
  constraint work_group_id_fkey foreign key (group_id) references groups (id) on delete set null,
  constraint work_delayed_by_check check (delayed_by in ('User', 'Retry', 'Rollout'))
) with (
  autovacuum_vacuum_scale_factor = 0.05,
  autovacuum_analyze_scale_factor = 0.02,
  autovacuum_vacuum_insert_scale_factor = 0.05
);

-- A computer has at most one open work item of a package, and one each of Power and Refresh.
create unique index work_open_package_key on work (computer_id, package_id)
  where state in ('Due', 'Leased') and package_id is not null;
create unique index work_open_kind_key on work (computer_id, kind)
  where state in ('Due', 'Leased') and package_id is null;
create index work_computer_id_idx on work (computer_id, id);
create index work_task_id_idx on work (task_id, id);
create index work_package_id_idx on work (package_id);
create index work_group_id_idx on work (group_id);

-- Work of a deleted reinstall group.
create index work_reinstall_group_id_idx on work (reinstall_group_id) where reinstall_group_id is not null;

-- The state of a task: whether an item has failed, when the last one was closed, and whether one is open.
create index work_failed_task_idx on work (task_id) where state = 'Failed';
create index work_closed_task_idx on work (task_id, closed_at) where closed_at is not null;
create index work_open_task_idx on work (task_id) where closed_at is null;

-- The work of a rollout on a computer.
create index work_rollout_id_idx on work (rollout_id, computer_id) where rollout_id is not null;

-- When an agent that asked while the service was saturated gets its work. Rows are purged an hour later.
create table hand_out_turns (
  computer_id integer not null,
  turn_at timestamptz not null,
  constraint hand_out_turns_pkey primary key (computer_id)
);

-- One step of a package on a computer. Rows never change.
create table distribution_events (
  id bigint generated always as identity,
  computer_id integer not null,
  package_id uuid,
  result text not null,
  classification text not null,
  logged_at timestamptz not null default now(),
  install_mode text,
  kb_number text,
  -- The command line that the agent ran.
  info text,
  constraint distribution_events_pkey primary key (id),
  constraint distribution_events_result_check
    check (result in ('Pending', 'Running', 'Success', 'Failed', 'Cancelled')),
  constraint distribution_events_classification_check
    check (classification in ('Activation', 'Request', 'Report', 'Cancellation', 'Dependency')),
  constraint distribution_events_computer_id_fkey
    foreign key (computer_id) references computers (id) on delete cascade,
  constraint distribution_events_package_id_fkey foreign key (package_id) references packages (id) on delete set null
);

create index distribution_events_computer_id_idx on distribution_events (computer_id, id);
create index distribution_events_package_id_idx on distribution_events (package_id, id);

-- Search for a part of a command line.
create index distribution_events_info_idx on distribution_events using gin (info gin_trgm_ops) where info is not null;

-- Rows are stored in the order of time, so a summary of each range of pages finds those of a period.
create index distribution_events_logged_at_idx on distribution_events using brin (logged_at) with (autosummarize = on);

-- When a reinstall group is deleted, alone or with a group above it, its work is cancelled.
create function cancel_work_of_reinstall_group() returns trigger language plpgsql as $$
begin
  with cancelled as (
    update work set state = 'Cancelled', closed_at = now(), leased_until = null
    where reinstall_group_id = old.group_id and state in ('Due', 'Leased')
    returning computer_id, package_id
  ), recorded as (
    insert into distribution_events (computer_id, package_id, result, classification, install_mode)
    select computer_id, package_id, 'Cancelled', 'Cancellation', 'Reinstall' from cancelled
    where exists (select from computers where id = old.computer_id)
  )
  update deployments d set pending_since = null from cancelled c
  where d.computer_id = c.computer_id and d.package_id = c.package_id;
  -- A deleted computer takes only this row with it, not the group.
  delete from groups where id = old.group_id;
  return null;
end $$;

create trigger reinstall_groups_cancel_work after delete on reinstall_groups
  for each row execute function cancel_work_of_reinstall_group();

-- What a failed command printed.
create table setup_errors (
  id bigint generated always as identity,
  computer_id integer not null,
  package_id uuid,
  work_id bigint not null,
  attempt integer not null,
  logged_at timestamptz not null default now(),
  exit_code integer,
  command_line text,
  output text not null,
  constraint setup_errors_pkey primary key (id),
  constraint setup_errors_computer_id_fkey foreign key (computer_id) references computers (id) on delete cascade,
  constraint setup_errors_package_id_fkey foreign key (package_id) references packages (id) on delete set null
);

create index setup_errors_computer_id_idx on setup_errors (computer_id, id);
create index setup_errors_package_id_idx on setup_errors (package_id);

-- The errors of a work item.
create index setup_errors_work_id_idx on setup_errors (work_id);

-- A work item as it was given to a device.
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

-- The SHA-512 of a content that the service knows by its SHA-256. Existing agents ask for files by their SHA-512.
create table file_digests (
  sha256 bytea not null,
  sha512 bytea not null,
  constraint file_digests_pkey primary key (sha256),
  constraint file_digests_length_check check (length(sha256) = 32 and length(sha512) = 64)
);

-- A part of such a content. Agents fetch it by the hash of its bytes as they are sent.
create table file_parts (
  sha256 bytea not null,
  position integer not null,
  part_sha512 bytea not null,
  constraint file_parts_pkey primary key (sha256, position),
  constraint file_parts_length_check check (length(part_sha512) = 64),
  constraint file_parts_sha256_fkey foreign key (sha256) references file_digests (sha256) on delete cascade
);

-- The part with a hash.
create index file_parts_part_sha512_idx on file_parts (part_sha512);

-- Analyses those of the given tables that have grown considerably since they were last analysed, within the transaction
-- that has filled them. Only their owner may analyse them, and the role of the service may be another one. A table that is being
-- vacuumed or analysed is skipped, so the transaction neither waits nor fails. Returns the tables that were due.
create function analyze_grown_tables(names text[]) returns text[]
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  due text[];
  due_table text;
begin
  select coalesce(array_agg(relname::text order by relname), '{}') into due
  from pg_class
  where relnamespace = 'public'::regnamespace and relkind = 'r' and relname = any(names)
    and pg_relation_size(oid) / current_setting('block_size')::integer > 100 + 1.5 * relpages;
  foreach due_table in array due loop
    execute format('analyze (skip_locked) public.%I', due_table);
  end loop;
  return due;
end $$;
