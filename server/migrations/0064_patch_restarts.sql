-- When computers of the policy that need a restart are restarted: {windows, timeZone, timeoutMinutes, reminderMinutes, userDeadline}.
-- Null: the policy restarts nobody.
alter table patch_policies add column restart jsonb,
  add constraint patch_policies_restart_check check (jsonb_typeof(restart) = 'object');

-- The patch policy in whose window the restart was requested, unless a person has requested it. The end of the window is that of the
-- work item. No foreign key: the request is withdrawn after the policy was deleted.
alter table work add column restart_policy_id integer,
  add constraint work_restart_policy_check check (restart_policy_id is null or power_action = 'Reboot');

-- Finds the requests of policies that may have to be withdrawn.
create index work_open_restart_idx on work (restart_policy_id)
  where state in ('Due', 'Leased') and restart_policy_id is not null;
