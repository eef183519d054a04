-- Whether a task runs, whether it failed and when it ended is read from the edge of an index, however much work it has.
create index work_open_task_idx on work (task_id) where state in ('Due', 'Leased');
create index work_failed_task_idx on work (task_id) where state = 'Failed';
create index work_closed_task_idx on work (task_id, closed_at) where closed_at is not null;

-- Events come in the order of time, so that a summary of each range of pages finds those of a time.
create index distribution_events_logged_at_idx on distribution_events using brin (logged_at) with (autosummarize = on);

-- For those who make a group below another one: nobody renames, moves or deletes groups, while others may make groups.
create function share_group_trees() returns void language sql volatile as $$
  select pg_advisory_xact_lock_shared(5057003)
$$;
