-- On how many computers a package succeeded, failed or is pending, at the last count of the fleet. Only packages of many computers have
-- a row: others are counted for each answer. Rows of deleted packages disappear with the next count.
create table package_counts (
  package_id uuid not null,
  success integer not null,
  failed integer not null,
  pending integer not null,
  constraint package_counts_pkey primary key (package_id)
) with (fillfactor = 80);

-- The latest failures, whose causes are shown. Only failures pay for it.
create index deployments_failed_at_idx on deployments (failed_at desc nulls last, computer_id) where status = 'Failed';
