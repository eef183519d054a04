-- Counts of the fleet in the past: one sample for each hour, kept for 90 days, and one for each day, kept for 5 years. An
-- hour in which nothing was counted has no rows.
create table fleet_history (
  metric text not null,
  -- The name of the package for the versions of a package, otherwise empty.
  subject text not null default '',
  resolution text not null,
  -- The beginning of the hour or of the day, in UTC.
  period timestamptz not null,
  sampled_at timestamptz not null default now(),
  -- A number for each name, for example for each operating system.
  counts jsonb not null,
  constraint fleet_history_pkey primary key (metric, subject, resolution, period),
  constraint fleet_history_resolution_check check (resolution in ('Hour', 'Day'))
);

-- The purge deletes old samples of all metrics.
create index fleet_history_period_idx on fleet_history using brin (period);

-- What monitoring asks for, counted once for all nodes: one row, once that was done.
create table fleet_gauges (
  id boolean not null default true,
  calculated_at timestamptz not null,
  counts jsonb not null,
  constraint fleet_gauges_pkey primary key (id),
  constraint fleet_gauges_id_check check (id)
);
