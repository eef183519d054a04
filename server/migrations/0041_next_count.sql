-- All nodes share the pace of counting: how long a count takes decides when the next one is due.
alter table fleet_statistics add column next_count_at timestamptz not null default now();
