-- Activations of large groups, whose work is created in slices by a periodic task, in the order in which they were requested.
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
  -- The computers of the group when it was requested, in their order, without those that were withdrawn since. The first
  -- `completed_count` of them have their work. Empty when the activation has ended.
  computer_ids integer[] not null,
  computer_count integer not null,
  completed_count integer not null default 0,
  -- Computers that were deactivated before it was their turn.
  withdrawn_count integer not null default 0,
  -- Failed attempts at the next slice.
  failures integer not null default 0,
  result text,
  finished_at timestamptz,
  constraint sliced_activations_pkey primary key (task_id),
  constraint sliced_activations_task_id_fkey foreign key (task_id) references tasks (id) on delete cascade,
  constraint sliced_activations_bits_check check (software or pxe or pull),
  constraint sliced_activations_result_check check (result in ('Completed', 'Cancelled', 'Failed')),
  constraint sliced_activations_finished_check check ((finished_at is null) = (result is null)),
  constraint sliced_activations_power_action_check check (power_action in ('Shutdown', 'Reboot', 'LogOff', 'None'))
);

create index sliced_activations_unfinished_idx on sliced_activations (requested_at, task_id) where finished_at is null;

-- When agents that came while the service was saturated are handed their work. Rows are purged an hour after the turn.
create table hand_out_turns (
  computer_id integer not null,
  turn_at timestamptz not null,
  constraint hand_out_turns_pkey primary key (computer_id)
);
