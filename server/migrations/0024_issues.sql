-- For the questions about the whole fleet: what fails, what has long been pending, and agents that need attention. Each
-- holds the few rows of interest only, so that reports that change nothing about them cost nothing here.
create index deployments_failed_idx on deployments (computer_id, package_id) where status = 'Failed';
create index deployments_pending_since_idx on deployments (pending_since) where pending_since is not null;
create index agents_reboot_required_idx on agents (computer_id) where is_reboot_required;
create index agents_suspended_idx on agents (computer_id) where suspension_mode is not null;

-- The counts of the dashboard, computed in the background every now and then: one row, once that was done.
create table fleet_statistics (
  id boolean not null default true,
  calculated_at timestamptz not null,
  counts jsonb not null,
  constraint fleet_statistics_pkey primary key (id),
  constraint fleet_statistics_id_check check (id)
);
