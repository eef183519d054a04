-- An event that is not in the log yet. Triggers insert it in the transaction of the change
-- (repeatable/event_triggers.sql). The sequencer then moves committed rows to the log and numbers them: positions have
-- no gaps, and an event that commits late gets a later position. Readers read the log only.
create table event_outbox (
  id bigint generated always as identity,
  type text not null,
  -- The path of the resource that the event is about.
  subject text not null,
  -- Set if the event is about one computer.
  computer_id integer,
  occurred_at timestamptz not null default now(),
  data jsonb not null,
  constraint event_outbox_pkey primary key (id)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

-- An event of the log. There is one partition for each day; old days are dropped as a whole.
create table events (
  day date not null,
  position bigint not null,
  type text not null,
  subject text not null,
  computer_id integer,
  occurred_at timestamptz not null,
  data jsonb not null,
  constraint events_pkey primary key (day, position)
) partition by list (day);

-- Reading from a position, of all computers or of one.
create index events_position_idx on events (position);
create index events_computer_id_idx on events (computer_id, position) where computer_id is not null;

-- A partition of the log, with its first position. A position belongs to the last day that begins with or before it.
create table event_days (
  day date not null,
  first_position bigint not null,
  constraint event_days_pkey primary key (day)
);

-- Partitions have a schema of their own, because they come and go without a migration.
create schema if not exists events_by_day;

-- One row: the last position of the log.
create table event_log (
  singleton boolean not null default true,
  last_position bigint not null default 0,
  constraint event_log_pkey primary key (singleton),
  constraint event_log_singleton_check check (singleton)
);

insert into event_log default values;

-- Runs with the rights of the owner of the tables, as does drop_event_days: the service itself may not create tables.
create function ensure_event_day(day date, first_position bigint) returns void
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  partition text := to_char(day, '"events_"YYYYMMDD');
begin
  insert into event_days values (day, first_position) on conflict do nothing;
  if not found then return; end if;
  -- Attached instead of created as a partition, because readers need not wait for that.
  execute format('create table events_by_day.%I (like events including defaults including constraints)', partition);
  execute format('alter table events attach partition events_by_day.%I for values in (%L)', partition, day);
end $$;

-- Drops the partitions of the days before this one. Readers must not wait for long while it waits for its lock: if a
-- long transaction reads the log, it fails and is repeated later.
create function drop_event_days(before date) returns integer
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp set lock_timeout = '200ms' as $$
declare
  dropped date;
  count integer := 0;
begin
  for dropped in delete from event_days where event_days.day < before returning event_days.day loop
    execute format('drop table events_by_day.%I', to_char(dropped, '"events_"YYYYMMDD'));
    count := count + 1;
  end loop;
  return count;
end $$;

-- Moves committed events to the log and returns their number. The caller has the lock of the sequencer.
create function sequence_events(max_events integer) returns integer language plpgsql as $$
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
  insert into events (day, position, type, subject, computer_id, occurred_at, data)
  select today, last + row_number() over (order by id), type, subject, computer_id, occurred_at, data from taken;
  get diagnostics moved = row_count;
  update event_log set last_position = last + moved;
  perform pg_notify('muster_events', (last + moved)::text);
  return moved;
end $$;

-- A restore locks the log together with all other tables. Later, it would wait for a sequencer that waits for the
-- restore.
create function lock_event_log() returns void
  language sql security definer set search_path = pg_catalog, public, pg_temp as $$
  lock table event_outbox, events, event_days in access exclusive mode
$$;

-- After a restore, what readers know about the installation may be wrong. The positions continue far beyond those that
-- any reader can have, so every reader notices that it has to read everything again.
create function begin_new_event_log() returns void
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  truncate event_outbox, events, event_days;
  update event_log set last_position = last_position + 4294967296;
end $$;

create function camel_case(name text) returns text immutable language sql as $$
  select string_agg(case when place = 1 then word else initcap(word) end, '' order by place)
  from unnest(string_to_array(name, '_')) with ordinality as part (word, place)
$$;

-- The properties that differ between two rows, each with its old and new value. Null if none does.
create function changed_properties(before jsonb, after jsonb) returns jsonb immutable language sql as $$
  select jsonb_object_agg(camel_case(key), jsonb_build_object('from', before -> key, 'to', value))
  from jsonb_each(after) where before -> key is distinct from value
$$;
