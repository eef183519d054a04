-- The delivery, in rings, of what is assigned to a group, or of one of its packages.
create table rollouts (
  id uuid not null default new_uuid(),
  name text not null,
  -- No foreign keys: the row is locked before groups and packages are. A rollout whose group or package is gone ends.
  group_id uuid not null,
  package_id uuid,
  state text not null default 'Running',
  is_emergency boolean not null default false,
  criteria jsonb not null,
  -- The time zone of the maintenance windows; null: that of each computer.
  time_zone text,
  -- After this time, neither windows nor gradual release delay the rollout.
  deadline_at timestamptz,
  catch_up_days integer not null default 14,
  -- Set when the last ring is done.
  catch_up_until timestamptz,
  -- Only what happened after this time can pause the rollout.
  resumed_at timestamptz not null default now(),
  -- What could pause it, at the last evaluation: silent agents, boot failures and a shared cause.
  findings jsonb,
  -- Why it is paused: a code, and the numbers and names of its sentence.
  pause jsonb,
  -- Counts the changes that principals made, not those that the service makes.
  version integer not null default 1,
  created_by text not null,
  created_at timestamptz not null default now(),
  evaluated_at timestamptz,
  -- Set when nothing remains to be done, including for a cancelled rollout whose work is being cancelled.
  ended_at timestamptz,
  -- Null if the id of the creator is unknown.
  created_by_id integer,
  -- The computers from which the rollout may remove software, because they were counted against a quota when it was
  -- created. Null: any, because the requester had no quota.
  removal_computer_ids integer[],
  constraint rollouts_pkey primary key (id),
  constraint rollouts_name_check check (name ~ '\S' and length(name) <= 255),
  constraint rollouts_state_check check (state in ('Running', 'Paused', 'CatchingUp', 'Completed', 'Cancelled')),
  constraint rollouts_pause_check check ((state = 'Paused') = (pause is not null)),
  constraint rollouts_catch_up_days_check check (catch_up_days >= 0)
);

-- The list of rollouts, those of a group, and those that are evaluated.
create index rollouts_created_at_idx on rollouts (created_at, id);
create index rollouts_group_id_idx on rollouts (group_id);
create index rollouts_unfinished_idx on rollouts (id) where ended_at is null;

-- One ring of a rollout.
create table rollout_rings (
  rollout_id uuid not null,
  ring integer not null,
  name text not null,
  -- Count and Percent: the computers with the lowest positions. Group: members of a group. Rest: all others.
  size_kind text not null,
  size integer,
  -- No foreign key, for the same reason as in `rollouts`.
  group_id uuid,
  -- For Count and Percent: computers at lower positions belong to the ring, including those that join later.
  positions_below double precision,
  release_minutes integer not null default 0,
  windows jsonb not null default '[]',
  state text not null default 'Waiting',
  opened_at timestamptz,
  -- Since when its results allow the rollout to continue.
  criteria_met_at timestamptz,
  done_at timestamptz,
  -- As the dry run predicted them.
  planned_work integer not null default 0,
  planned_bytes bigint not null default 0,
  -- Computers by state, at the last evaluation.
  counts jsonb not null default '{}',
  constraint rollout_rings_pkey primary key (rollout_id, ring),
  constraint rollout_rings_size_kind_check check (size_kind in ('Count', 'Percent', 'Group', 'Rest')),
  constraint rollout_rings_size_check check ((size is not null) = (size_kind in ('Count', 'Percent'))),
  constraint rollout_rings_group_check check ((group_id is not null) = (size_kind = 'Group')),
  constraint rollout_rings_state_check check (state in ('Waiting', 'Open', 'Done')),
  constraint rollout_rings_rollout_id_fkey foreign key (rollout_id) references rollouts (id) on delete cascade
);

-- A computer of a rollout, with its ring and its result.
create table rollout_computers (
  rollout_id uuid not null,
  computer_id integer not null,
  ring integer not null,
  -- From 0 to 1: a hash of the computer and the rollout. It determines the ring, unless membership in a group does.
  position double precision not null,
  state text not null default 'Waiting',
  -- When its work was created, for the last time.
  released_at timestamptz,
  finished_at timestamptz,
  -- The first failure since the release; later success keeps it.
  failed_at timestamptz,
  exit_code integer,
  cause text,
  silent_at timestamptz,
  boot_failed_at timestamptz,
  -- The last start of the computer that the rollout has seen, and how many it has seen since the release.
  boot_at timestamptz,
  boots integer not null default 0,
  constraint rollout_computers_pkey primary key (rollout_id, computer_id),
  constraint rollout_computers_state_check check (
    state in ('Waiting', 'RetryRequested', 'Pending', 'Retrying', 'Succeeded', 'Failed', 'Cancelled', 'NothingDue')),
  constraint rollout_computers_rollout_id_fkey foreign key (rollout_id) references rollouts (id) on delete cascade,
  constraint rollout_computers_computer_id_fkey foreign key (computer_id) references computers (id) on delete cascade
);

create index rollout_computers_computer_id_idx on rollout_computers (computer_id, rollout_id);

-- The next computers to release, and those whose work is not finished.
create index rollout_computers_unreleased_idx on rollout_computers (rollout_id, ring, position)
  where state in ('Waiting', 'RetryRequested');
create index rollout_computers_unfinished_idx on rollout_computers (rollout_id, computer_id)
  where state in ('Pending', 'Retrying');
