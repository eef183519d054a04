-- How often it failed. An attempt that got lost with the agent was none of these.
alter table work add column failures integer not null default 0;
