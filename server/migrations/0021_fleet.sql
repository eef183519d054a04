-- The address, or null for any other text: what agents report about themselves may be anything.
create function valid_address(address text) returns inet language plpgsql immutable strict parallel safe as $$
begin
  return address::inet;
exception when data_exception then
  return null;
end $$;

-- The values of a computer by which the list for people filters, counts and sorts the fleet, in one narrow row so that
-- no such query reads the wide rows of all computers.
create table computer_summaries (
  computer_id integer not null,
  -- Copied from the row of the computer by triggers.
  name_key text not null,
  operating_system text,
  os_version text,
  model text,
  address_key inet,
  -- Recorded whenever the fleet is counted: these change with time, or are expensive to derive.
  agent_status text not null default 'Unknown',
  health_status text not null default 'Unreachable',
  contact_age text not null default 'Never',
  issues text[] not null default '{}',
  -- How urgently the computer needs patches, recorded whenever the fleet is counted.
  patch_age text not null default 'NotScanned',
  missing_severity text not null default 'None',
  constraint computer_summaries_pkey primary key (computer_id),
  constraint computer_summaries_computer_id_fkey foreign key (computer_id) references computers (id) on delete cascade,
  constraint computer_summaries_agent_status_check check (agent_status in ('Reporting', 'Stale', 'Silent', 'Unknown')),
  constraint computer_summaries_health_status_check check (health_status in ('Healthy', 'Warning', 'Unreachable')),
  constraint computer_summaries_contact_age_check check (contact_age in ('Day', 'Week', 'Month', 'Older', 'Never')),
  constraint computer_summaries_patch_age_check
    check (patch_age in ('NotScanned', 'NoneMissing', 'UpTo7Days', 'UpTo30Days', 'UpTo90Days', 'Older', 'Unknown')),
  constraint computer_summaries_missing_severity_check
    check (missing_severity in ('Critical', 'Important', 'Moderate', 'Low', 'Unknown', 'None'))
) with (fillfactor = 80);

-- The first page in the usual order reads no other rows.
create index computer_summaries_name_key_idx on computer_summaries (name_key, computer_id);

-- Only a transaction that has locked the row of the computer gets here, so none waits for a row of this table in
-- another order.
create function summarise_computer() returns trigger language plpgsql as $$
begin
  insert into computer_summaries as summary (computer_id, name_key, operating_system, os_version, model, address_key)
  values (new.id, lower(new.name), nullif(concat_ws(' ', new.os_name, new.os_edition), ''), new.os_version, new.model,
    valid_address(coalesce(new.reported_ip_address, new.ip_address)))
  on conflict on constraint computer_summaries_pkey do update set
    name_key = excluded.name_key, operating_system = excluded.operating_system, os_version = excluded.os_version,
    model = excluded.model, address_key = excluded.address_key;
  return null;
end $$;

create trigger computers_summarise_insert after insert on computers
  for each row execute function summarise_computer();
create trigger computers_summarise_update after update on computers
  for each row when (
    (old.name, old.os_name, old.os_edition, old.os_version, old.model, old.ip_address, old.reported_ip_address)
    is distinct from
    (new.name, new.os_name, new.os_edition, new.os_version, new.model, new.ip_address, new.reported_ip_address))
  execute function summarise_computer();

-- The counts of the dashboard: one row, once the background has counted the fleet.
create table fleet_statistics (
  id boolean not null default true,
  calculated_at timestamptz not null,
  counts jsonb not null,
  -- All nodes share the pace of counting: how long a count takes decides when the next one is due.
  next_count_at timestamptz not null default now(),
  -- How many computers have each combination of the values of computer_summaries. There are few combinations, so the
  -- counts of the whole fleet by any value are sums over few rows.
  combinations jsonb not null default '[]',
  -- For each group how many of its members were scanned, and how many of these lack no security patch.
  patch_compliance jsonb not null default '[]',
  constraint fleet_statistics_pkey primary key (id),
  constraint fleet_statistics_id_check check (id)
);

-- A count of the fleet in the past: one for each hour, kept for 90 days, and one for each day, kept for 5 years. An
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

-- The counts for monitoring: one row, once they were counted for all nodes.
create table fleet_gauges (
  id boolean not null default true,
  calculated_at timestamptz not null,
  counts jsonb not null,
  constraint fleet_gauges_pkey primary key (id),
  constraint fleet_gauges_id_check check (id)
);

-- A computer that had an issue at the last evaluation. The differences are events: an agent that becomes silent, for
-- example, writes nothing.
create table issue_findings (
  issue text not null,
  -- No foreign key, which would lock the computer. Rows of deleted computers are gone with the next evaluation.
  computer_id integer not null,
  found_at timestamptz not null default now(),
  constraint issue_findings_pkey primary key (issue, computer_id)
);

-- One row: when the issues are evaluated next. All nodes share the pace.
create table issue_evaluation (
  singleton boolean not null default true,
  due_at timestamptz not null default now(),
  constraint issue_evaluation_pkey primary key (singleton),
  constraint issue_evaluation_singleton_check check (singleton)
);

insert into issue_evaluation default values;
