-- The packages that fail on many computers, as of the last count of the fleet, the most frequent first: what somebody should decide
-- about (listDecisions) is asked for by every open page, so it is counted with the fleet.
alter table fleet_statistics add column failing_packages jsonb not null default '[]';
