-- Progress of tasks over time. A task may have millions of work items, so nothing that is asked often may count them.
-- Triggers append what each statement changed to task_count_changes. A periodic task adds these rows up in task_counts.
-- Both together are exact at any time, and writers never wait for each other, because none of them updates a row.

-- What one statement changed: by how many work items of the task each state grew or shrank.
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

-- The same, added up for each minute.
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

-- A trigger for each row, because most updates leave the state alone: they cost nothing but the condition. A trigger for
-- each statement would copy the old and new rows of all of them.
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

create function count_deleted_work() returns trigger language plpgsql as $$
begin
  insert into task_count_changes
  select task_id, date_trunc('minute', now()), -count(*) filter (where state = 'Due'),
    -count(*) filter (where state = 'Leased'), -count(*) filter (where state = 'Success'),
    -count(*) filter (where state = 'Failed'), -count(*) filter (where state = 'Cancelled')
  from deleted group by 1;
  return null;
end $$;

create trigger work_count_inserted after insert on work referencing new table as inserted
  for each statement execute function count_inserted_work();
create trigger work_count_updated after update of state on work
  for each row when (old.state <> new.state) execute function count_updated_work();
create trigger work_count_deleted after delete on work referencing old table as deleted
  for each statement execute function count_deleted_work();

-- Failures that are not in task_failures yet.
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

-- Failures of a task by their cause. The example is the last work item that failed so.
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

-- The past of tasks that exist. When work was leased is not known: it counts as due until it was closed.
insert into task_counts
select task_id, minute, sum(due), sum(leased), sum(success), sum(failed), sum(cancelled) from (
  select task_id, date_trunc('minute', created_at) as minute, count(*) filter (where state <> 'Leased') as due,
    count(*) filter (where state = 'Leased') as leased, 0 as success, 0 as failed, 0 as cancelled
  from work group by 1, 2
  union all
  select task_id, date_trunc('minute', greatest(created_at, closed_at)), -count(*), 0,
    count(*) filter (where state = 'Success'), count(*) filter (where state = 'Failed'),
    count(*) filter (where state = 'Cancelled')
  from work where closed_at is not null group by 1, 2
) as past
group by 1, 2;

-- The error that was recorded when its item was closed is the final one.
insert into task_failure_changes (task_id, work_id, setup_error_id, is_final)
select work.task_id, work.id, error.id, work.state = 'Failed' and error.logged_at = work.closed_at
from setup_errors error join work on work.id = error.work_id;
