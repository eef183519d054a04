-- Why work waits for not_before: the user has postponed it, or it is retried after a failure. Null: its schedule, or the
-- time for which it was requested.
alter table work
  add column delayed_by text,
  add constraint work_delayed_by_check check (delayed_by in ('User', 'Retry'));
