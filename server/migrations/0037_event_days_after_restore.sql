-- A restore empties the list of days. Their partitions have to go as well: the first event after a restore would otherwise find
-- the partition of its day in the way, and no event would reach the log until the next day.
create or replace function begin_new_event_log() returns void
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  partition regclass;
begin
  truncate event_outbox, event_days;
  for partition in select inhrelid from pg_inherits where inhparent = 'events'::regclass loop
    execute format('drop table %s', partition);
  end loop;
  update event_log set last_position = last_position + 4294967296;
end $$;

-- Partitions that restores by earlier versions have left behind.
do $$
declare
  partition regclass;
begin
  for partition in
    select inhrelid from pg_inherits join pg_class on pg_class.oid = inhrelid
    where inhparent = 'events'::regclass
      and relname not in (select to_char(day, '"events_"YYYYMMDD') from event_days)
  loop
    execute format('drop table %s', partition);
  end loop;
end $$;
