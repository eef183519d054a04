-- How many computers lack each patch or have it, for each product version, as of the last count of the fleet. Counting all
-- scan results takes too long for a request. Rows of purged patches disappear with the next count.
create table patch_counts (
  patch_id integer not null,
  product_id integer not null,
  missing integer not null,
  installed integer not null,
  constraint patch_counts_pkey primary key (patch_id, product_id)
) with (fillfactor = 80);

-- For each group how many of its members were scanned, and how many of these lack no security patch.
alter table fleet_statistics add column patch_compliance jsonb not null default '[]';

-- Name of the principal whose request created the task; null for tasks that the service creates, and for older ones.
alter table tasks add column created_by text;
