-- Analyses those of the tables that have grown much since they were last analysed, within the transaction that has filled
-- them. Only their owner may analyse them, and the role of the service may be another one. A table that is being vacuumed
-- or analysed by somebody else is skipped: nobody waits here, and nobody fails. Returns the tables that were due.
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

-- Work changes its state several times and then stays as it is, so a fixed share of a large table is too late.
alter table work set (autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.02,
  autovacuum_vacuum_insert_scale_factor = 0.05);
alter table deployments set (autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.02,
  autovacuum_vacuum_insert_scale_factor = 0.05);

-- Open work of a computer is found by `state`, open work of a task by `closed_at`; a check keeps the two in agreement. If
-- both indexes had the same predicate, a plan made while the table was empty could read this one as a whole.
drop index work_open_task_idx;
create index work_open_task_idx on work (task_id) where closed_at is null;
