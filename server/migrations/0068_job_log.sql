-- What the attempts at a job have done so far: an array of {"atUtc", "text"}, oldest first.
alter table background_jobs add column log jsonb not null default '[]';
