-- What an agent is let in with for the first time.
create table enrolment_tokens (
  id integer generated always as identity,
  token_hash bytea not null,
  description text,
  -- Where computers are put that enrol with it.
  group_id uuid,
  max_uses integer,
  uses integer not null default 0,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  created_at timestamptz not null default now(),
  constraint enrolment_tokens_pkey primary key (id),
  constraint enrolment_tokens_token_hash_key unique (token_hash),
  constraint enrolment_tokens_uses_check check (uses >= 0 and (max_uses is null or uses <= max_uses)),
  constraint enrolment_tokens_group_id_fkey foreign key (group_id) references groups (id) on delete cascade
);

create index enrolment_tokens_group_id_idx on enrolment_tokens (group_id);

-- The agent of a computer, and what it last said about itself.
create table agents (
  computer_id integer not null,
  secret_hash bytea not null,
  -- Of a key that the agent chose before it enrolled: who has it may ask again when the answer was lost.
  enrolment_key_hash bytea not null,
  enrolment_token_id integer,
  enrolled_at timestamptz not null default now(),
  -- Until then another agent may take over the computer, because a person allowed it.
  re_enrolment_until timestamptz,
  version text,
  platform text,
  boot_at timestamptz,
  is_reboot_required boolean not null default false,
  reboot_required_source text,
  suspension_mode text,
  suspended_until timestamptz,
  logged_on_user text,
  -- Of the settings with which it runs.
  settings_hash text,
  state_changed_at timestamptz,
  -- Processes of the agent, the newest first: one that comes back after another was seen shares its identity.
  recent_runs uuid[] not null default '{}',
  duplicate_seen_at timestamptz,
  constraint agents_pkey primary key (computer_id),
  constraint agents_suspension_mode_check check (suspension_mode in ('Suspended', 'PresentationMode', 'MaintenanceMode')),
  constraint agents_computer_id_fkey foreign key (computer_id) references computers (id) on delete cascade,
  constraint agents_enrolment_token_id_fkey
    foreign key (enrolment_token_id) references enrolment_tokens (id) on delete set null
) with (fillfactor = 80);

create index agents_enrolment_token_id_idx on agents (enrolment_token_id);

-- Packages that must be installed before another one, by their name.
create table package_requirements (
  package_id uuid not null,
  required_name text not null,
  constraint package_requirements_pkey primary key (package_id, required_name),
  constraint package_requirements_package_id_fkey foreign key (package_id) references packages (id) on delete cascade
);

-- What was published for a computer through one of its groups; without a group for a computer that is in none.
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

-- The state of one package on one computer.
create table deployments (
  computer_id integer not null,
  package_id uuid not null,
  -- How the last work ended that was reported.
  result text,
  -- Set while work waits for the agent or is under way.
  pending_since timestamptz,
  status text not null
    generated always as (case when result is null or pending_since is not null then 'Pending' else result end) stored,
  installation_state text not null default 'None',
  -- The distribution commands that were last carried out.
  current_mode integer not null default 0,
  -- Of the content that is installed.
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
) with (fillfactor = 80);

create index deployments_package_id_idx on deployments (package_id, status, computer_id);

-- What was triggered over the API. Whether a task runs, is finished or has failed follows from its pieces of work.
create table tasks (
  id uuid not null default new_uuid(),
  kind text not null,
  computer_id integer,
  group_id uuid,
  package_id uuid,
  created_at timestamptz not null default now(),
  constraint tasks_pkey primary key (id),
  constraint tasks_kind_check check (kind in ('Activation', 'Uninstall', 'Reinstall', 'Rescan', 'Reboot')),
  constraint tasks_computer_id_fkey foreign key (computer_id) references computers (id) on delete cascade,
  constraint tasks_group_id_fkey foreign key (group_id) references groups (id) on delete set null,
  constraint tasks_package_id_fkey foreign key (package_id) references packages (id) on delete set null
);

create index tasks_computer_id_idx on tasks (computer_id);
create index tasks_group_id_idx on tasks (group_id);
create index tasks_package_id_idx on tasks (package_id);

-- A pending reinstall of a package on a computer: a group of its own, below the group that holds the assignment.
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

-- One piece of work for one agent. While it is Due it waits; Leased, an agent has it.
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
  -- Set for a reinstall that was asked for; when its group goes, the work is cancelled.
  reinstall_group_id uuid,
  -- How often it was handed out. A report names the attempt it is about.
  attempt integer not null default 0,
  not_before timestamptz not null default now(),
  -- The schedule, and the end of the window that not_before opens.
  schedule text not null default '',
  window_ends_at timestamptz,
  leased_until timestamptz,
  -- The process of the agent that has it.
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
  constraint work_group_id_fkey foreign key (group_id) references groups (id) on delete set null
);

-- Of one package a computer has at most one piece of work under way; of Power and of Refresh one each.
create unique index work_open_package_key on work (computer_id, package_id)
  where state in ('Due', 'Leased') and package_id is not null;
create unique index work_open_kind_key on work (computer_id, kind)
  where state in ('Due', 'Leased') and package_id is null;
create index work_computer_id_idx on work (computer_id, id);
create index work_task_id_idx on work (task_id, id);
create index work_package_id_idx on work (package_id);
create index work_group_id_idx on work (group_id);
create index work_reinstall_group_id_idx on work (reinstall_group_id) where reinstall_group_id is not null;

-- What happened to packages on computers: one row for each move, never changed.
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
  constraint distribution_events_result_check check (result in ('Pending', 'Running', 'Success', 'Failed', 'Cancelled')),
  constraint distribution_events_classification_check
    check (classification in ('Activation', 'Request', 'Report', 'Cancellation', 'Dependency')),
  constraint distribution_events_computer_id_fkey foreign key (computer_id) references computers (id) on delete cascade,
  constraint distribution_events_package_id_fkey foreign key (package_id) references packages (id) on delete set null
);

create index distribution_events_computer_id_idx on distribution_events (computer_id, id);
create index distribution_events_package_id_idx on distribution_events (package_id, id);
create index distribution_events_info_idx on distribution_events using gin (info gin_trgm_ops) where info is not null;

-- What failed commands printed.
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

-- Computers to be woken, by the depot near them or by the service itself.
create table wake_requests (
  id bigint generated always as identity,
  computer_id integer not null,
  wake_at timestamptz not null,
  depot_id integer,
  attempts integer not null default 0,
  sent_at timestamptz,
  constraint wake_requests_pkey primary key (id),
  constraint wake_requests_computer_id_fkey foreign key (computer_id) references computers (id) on delete cascade,
  constraint wake_requests_depot_id_fkey foreign key (depot_id) references computers (id) on delete set null
);

create index wake_requests_computer_id_idx on wake_requests (computer_id);
create index wake_requests_depot_id_idx on wake_requests (depot_id);
create index wake_requests_unsent_idx on wake_requests (wake_at) where sent_at is null;

-- The end of a reinstall group is the end of its membership's work, whoever deletes it: a person, or with a group above.
create function cancel_work_of_reinstall_group() returns trigger language plpgsql as $$
begin
  with cancelled as (
    update work set state = 'Cancelled', closed_at = now(), leased_until = null
    where reinstall_group_id = old.group_id and state in ('Due', 'Leased')
    returning computer_id, package_id
  ), told as (
    insert into distribution_events (computer_id, package_id, result, classification, install_mode)
    select computer_id, package_id, 'Cancelled', 'Cancellation', 'Reinstall' from cancelled
    where exists (select from computers where id = old.computer_id)
  )
  update deployments d set pending_since = null from cancelled c
  where d.computer_id = c.computer_id and d.package_id = c.package_id;
  -- With the computer, only this row goes by itself.
  delete from groups where id = old.group_id;
  return null;
end $$;

create trigger reinstall_groups_cancel_work after delete on reinstall_groups
  for each row execute function cancel_work_of_reinstall_group();
