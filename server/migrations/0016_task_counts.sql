-- What one statement changed: by how many work items of a task each state grew or shrank. A task may have millions of
-- work items, so no frequent query may count them. Triggers append to this table, and a periodic task adds its rows up
-- in task_counts. Both together are exact at any time, and writers never wait for each other, because none of them
-- updates a row.
create table task_count_changes (
  task_id uuid not null,
  minute timestamptz not null,
  due integer not null,
  leased integer not null,
  success integer not null,
  failed integer not null,
  cancelled integer not null,
  id bigint generated always as identity,
  constraint task_count_changes_pkey primary key (id)
);

-- The changes of a task within one minute, added up.
create table task_counts (
  task_id uuid not null,
  minute timestamptz not null,
  due integer not null,
  leased integer not null,
  success integer not null,
  failed integer not null,
  cancelled integer not null,
  constraint task_counts_pkey primary key (task_id, minute),
  constraint task_counts_task_id_fkey foreign key (task_id) references tasks (id) on delete cascade
);

-- A failure that is not in task_failures yet.
create table task_failure_changes (
  task_id uuid not null,
  work_id bigint not null,
  -- What the command printed; null for an item that failed without being started.
  setup_error_id bigint,
  error_text text,
  -- Whether the work item failed for good.
  is_final boolean not null,
  id bigint generated always as identity,
  constraint task_failure_changes_pkey primary key (id)
);

-- The failures of a task that have the same cause. The example is the last work item that failed for it.
create table task_failures (
  task_id uuid not null,
  exit_code integer,
  cause text not null,
  failures integer not null,
  final_failures integer not null,
  example_work_id bigint not null,
  id bigint generated always as identity,
  constraint task_failures_pkey primary key (id),
  constraint task_failures_key unique nulls not distinct (task_id, exit_code, cause),
  constraint task_failures_task_id_fkey foreign key (task_id) references tasks (id) on delete cascade
);

-- A work item that is inserted as closed was due when it was created. The demo and imports write such a past.
create function count_inserted_work() returns trigger language plpgsql as $$
begin
  insert into task_count_changes
  select task_id, date_trunc('minute', created_at),
    count(*) filter (where state <> 'Leased'), count(*) filter (where state = 'Leased'), 0, 0, 0
  from inserted group by 1, 2;
  insert into task_count_changes
  select task_id, date_trunc('minute', greatest(created_at, closed_at)), -count(*), 0,
    count(*) filter (where state = 'Success'), count(*) filter (where state = 'Failed'),
    count(*) filter (where state = 'Cancelled')
  from inserted where closed_at is not null group by 1, 2;
  return null;
end $$;

create trigger work_count_inserted after insert on work referencing new table as inserted
  for each statement execute function count_inserted_work();

-- A trigger for each row, because most updates leave the state alone: they cost nothing but the condition. A trigger
-- for each statement would copy the old and new rows of all of them.
create function count_updated_work() returns trigger language plpgsql as $$
begin
  insert into task_count_changes values (new.task_id, date_trunc('minute', now()),
    (new.state = 'Due')::integer - (old.state = 'Due')::integer,
    (new.state = 'Leased')::integer - (old.state = 'Leased')::integer,
    (new.state = 'Success')::integer - (old.state = 'Success')::integer,
    (new.state = 'Failed')::integer - (old.state = 'Failed')::integer,
    (new.state = 'Cancelled')::integer - (old.state = 'Cancelled')::integer);
  return null;
end $$;

create trigger work_count_updated after update of state on work
  for each row when (old.state <> new.state) execute function count_updated_work();

create function count_deleted_work() returns trigger language plpgsql as $$
begin
  insert into task_count_changes
  select task_id, date_trunc('minute', now()), -count(*) filter (where state = 'Due'),
    -count(*) filter (where state = 'Leased'), -count(*) filter (where state = 'Success'),
    -count(*) filter (where state = 'Failed'), -count(*) filter (where state = 'Cancelled')
  from deleted group by 1;
  return null;
end $$;

create trigger work_count_deleted after delete on work referencing old table as deleted
  for each statement execute function count_deleted_work();

-- An item that is closed by the transaction that records the error has failed for good. A report that comes after the
-- service has closed the item is one more failure, but the item has failed once.
create function record_failures_of_tasks() returns trigger language plpgsql as $$
begin
  insert into task_failure_changes (task_id, work_id, setup_error_id, is_final)
  select work.task_id, work.id, inserted.id, work.state = 'Failed' and work.closed_at = now()
  from inserted join work on work.id = inserted.work_id;
  return null;
end $$;

create trigger setup_errors_record_failures after insert on setup_errors referencing new table as inserted
  for each statement execute function record_failures_of_tasks();

-- A task that has open work items, or may get some. No single transaction can be certain that a task has ended, because
-- two may close the last two items at the same time. So the sequencer of events checks these tasks.
create table unfinished_tasks (
  task_id uuid not null,
  constraint unfinished_tasks_pkey primary key (task_id),
  constraint unfinished_tasks_task_id_fkey foreign key (task_id) references tasks (id) on delete cascade
);

-- Tasks whose work is still being created, in slices.
create view growing_tasks as select task_id from sliced_activations where finished_at is null;

create function track_unfinished_tasks() returns trigger language plpgsql as $$
begin
  insert into unfinished_tasks select id from created;
  return null;
end $$;

create trigger tasks_track_unfinished after insert on tasks
  referencing new table as created for each statement execute function track_unfinished_tasks();

-- Ends the tasks of which no work item is open and none will be created. A trigger leaves their events.
create function finish_tasks() returns integer language plpgsql as $$
declare
  finished integer;
begin
  delete from unfinished_tasks where not exists (
    select from work where work.task_id = unfinished_tasks.task_id and state in ('Due', 'Leased'))
    and not exists (select from growing_tasks growing where growing.task_id = unfinished_tasks.task_id);
  get diagnostics finished = row_count;
  return finished;
end $$;
