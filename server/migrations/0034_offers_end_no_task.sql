-- An offer is no deployment until its user takes it, so it keeps no task running. The index finds the open work of a task that
-- is no offer without reading the offers, of which there may be one on each computer (`offerFlag`).
drop index work_open_task_idx;
create index work_open_task_idx on work (task_id, (case when commands & 68 = 64 and attempt = 0 then 1 else 0 end))
  where closed_at is null;

-- Ends the tasks of which no work item is open, other than as an offer, and none will be created. A trigger leaves their events.
-- A task is unfinished again when a user takes an offer of it.
create or replace function finish_tasks() returns integer language plpgsql as $$
declare
  finished integer;
begin
  delete from unfinished_tasks where not exists (
    select from work
    where work.task_id = unfinished_tasks.task_id and work.closed_at is null
      and case when commands & 68 = 64 and attempt = 0 then 1 else 0 end = 0)
    and not exists (select from growing_tasks growing where growing.task_id = unfinished_tasks.task_id);
  get diagnostics finished = row_count;
  return finished;
end $$;
