-- The trace that a row belongs to, as the header `traceparent` of W3C Trace Context writes it. The transaction of a request or a job
-- knows its own (server/src/database/postgres-driver.ts), so no statement names it.

alter table event_outbox add column traceparent text default nullif(current_setting('muster.traceparent', true), '');
alter table events add column traceparent text;

-- Work has the trace of its task, and the tasks of a rollout that of the request that has started it.
alter table tasks add column traceparent text default nullif(current_setting('muster.traceparent', true), '');
alter table rollouts add column traceparent text default nullif(current_setting('muster.traceparent', true), '');

alter table background_jobs
  add column traceparent text default nullif(current_setting('muster.traceparent', true), '');

-- As in 0024_events.sql, with the trace.
create or replace function sequence_events(max_events integer) returns integer language plpgsql as $$
declare
  today date := (now() at time zone 'UTC')::date;
  last bigint;
  moved integer;
begin
  -- Before the other tables, because a restore locks this one before them.
  select last_position into last from event_log;
  if not exists (select from event_outbox order by id limit 1) then return 0; end if;
  select last_position into last from event_log for update;
  perform ensure_event_day(today, last + 1);
  with taken as (
    delete from event_outbox where id = any (array(select id from event_outbox order by id limit max_events)) returning *
  )
  insert into events (day, position, type, subject, computer_id, occurred_at, data, traceparent)
  select today, last + row_number() over (order by id), type, subject, computer_id, occurred_at, data, traceparent from taken;
  get diagnostics moved = row_count;
  update event_log set last_position = last + moved;
  perform pg_notify('muster_events', (last + moved)::text);
  return moved;
end $$;
