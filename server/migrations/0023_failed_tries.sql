-- How often it failed. An attempt that got lost with the agent was none of these.
alter table work add column failures integer not null default 0;

-- Of the package as the agent got it. An import may bring another one while the agent is at work.
alter table work add column content_hash bytea;

-- From now on, what is closed has a run only while a report of it is still to be expected.
update work set run_id = null where state in ('Success', 'Failed') and run_id is not null;
