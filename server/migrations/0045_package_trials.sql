-- A trial installs a package on one computer and uninstalls it again. It is work of the computer like any other, but leaves
-- neither an assignment nor a deployment behind.
alter table tasks
  drop constraint tasks_kind_check,
  add constraint tasks_kind_check
    check (kind in ('Activation', 'Uninstall', 'Reinstall', 'Rescan', 'Reboot', 'Remediation', 'Trial'));

alter table work
  drop constraint work_kind_check,
  add constraint work_kind_check
    check (kind in ('Install', 'Update', 'Uninstall', 'Reinstall', 'OperatingSystem', 'Power', 'Refresh', 'Trial'));

-- Open trials, of which there are few at any time: an activation ends those of the packages that it brings
-- (cancelReplacedTrials).
create index work_open_trial_idx on work (computer_id, package_id) where kind = 'Trial' and state in ('Due', 'Leased');

-- A trial and its result. The result outlives the work item, the task and the computer: it stands on the package.
create table package_trials (
  id uuid not null default new_uuid(),
  package_id uuid not null,
  -- Null if the computer was deleted.
  computer_id integer,
  computer_name text not null,
  -- No foreign keys to work and task: both are purged long before the result, many at a time, and ids are never used again.
  work_id bigint not null,
  task_id uuid not null,
  started_at timestamptz not null default now(),
  started_by text not null,
  -- A trial that has not begun by then is cancelled.
  expires_at timestamptz not null,
  -- Open: the state of the work item says whether it waits or runs.
  state text not null default 'Open',
  finished_at timestamptz,
  -- Why the service has cancelled it.
  cancel_reason text,
  -- Why it failed, for people.
  error_text text,
  -- Hash of the content that was tried; null while the agent has reported nothing.
  content_hash bytea,
  -- The steps and leftovers that the agent has reported.
  report jsonb,
  constraint package_trials_pkey primary key (id),
  constraint package_trials_work_id_key unique (work_id),
  constraint package_trials_state_check check (state in ('Open', 'Succeeded', 'Failed', 'Cancelled')),
  constraint package_trials_finished_check check ((finished_at is null) = (state = 'Open')),
  constraint package_trials_package_id_fkey foreign key (package_id) references packages (id) on delete cascade,
  constraint package_trials_computer_id_fkey foreign key (computer_id) references computers (id) on delete set null
);

create index package_trials_computer_id_idx on package_trials (computer_id);

-- The trials of a package, newest first (listPackageTrials), and the last of them (packageRows).
create index package_trials_package_id_idx on package_trials (package_id, started_at, id);

-- Trials that were not begun in time (endExpiredTrials).
create index package_trials_open_idx on package_trials (expires_at) where state = 'Open';

-- Whatever closes the work item of a trial, also ends the trial. If the item is deleted, its computer was.
create function end_package_trial() returns trigger language plpgsql as $$
begin
  update package_trials
  set finished_at = now(),
    state = case when tg_op = 'DELETE' then 'Cancelled' when new.state = 'Success' then 'Succeeded' else new.state end,
    cancel_reason = case when tg_op = 'DELETE' then 'ComputerDeleted' else new.cancel_reason end
  where work_id = old.id and state = 'Open';
  return null;
end $$;

create trigger work_end_package_trial after update on work for each row
  when (old.kind = 'Trial' and new.state in ('Success', 'Failed', 'Cancelled') and old.state in ('Due', 'Leased'))
  execute function end_package_trial();

create trigger work_delete_package_trial after delete on work for each row
  when (old.kind = 'Trial' and old.state in ('Due', 'Leased'))
  execute function end_package_trial();
