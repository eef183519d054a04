-- The rings through which the policy releases what it approves, as the API shows them. Empty: to all computers at once.
alter table patch_policies add column rings jsonb not null default '[]',
  add constraint patch_policies_rings_check check (jsonb_typeof(rings) = 'array');

-- How far a policy has released a patch for one product: through its rings, and whether a person or the service has paused or stopped
-- it. A patch of a policy without rings has a row only if it is paused or stopped.
create table patch_ring_progress (
  policy_id integer not null,
  patch_id integer not null,
  product_id integer not null,
  -- The last ring that is open; 0 before the first one.
  ring smallint not null default 0,
  -- When the first ring opened, and the last one.
  begun_at timestamptz,
  opened_at timestamptz,
  -- Since when the open ring meets its gate. Null while it does not.
  met_at timestamptz,
  -- When the last ring met its gate. Nothing is counted any more from then on.
  completed_at timestamptz,
  -- The computers of each ring at the last count.
  counts jsonb not null default '[]',
  paused_at timestamptz,
  -- Why: figures, or who did it and what for.
  pause jsonb,
  -- Only failures after it pause the patch again.
  resumed_at timestamptz,
  stopped_at timestamptz,
  stopped_by text,
  stop_reason text,
  constraint patch_ring_progress_pkey primary key (policy_id, patch_id, product_id),
  constraint patch_ring_progress_ring_check check (ring >= 0 and (ring = 0) = (opened_at is null)),
  constraint patch_ring_progress_begun_check check ((begun_at is null) = (opened_at is null)),
  constraint patch_ring_progress_paused_check check ((paused_at is null) = (pause is null)),
  constraint patch_ring_progress_stopped_check check ((stopped_at is null) = (stopped_by is null)),
  constraint patch_ring_progress_policy_id_fkey foreign key (policy_id) references patch_policies (id) on delete cascade,
  constraint patch_ring_progress_patch_id_product_id_fkey
    foreign key (patch_id, product_id) references patch_links (patch_id, product_id) on delete cascade
) with (fillfactor = 80);

create index patch_ring_progress_patch_id_idx on patch_ring_progress (patch_id, product_id);

-- What the periodic task counts.
create index patch_ring_progress_unfinished_idx on patch_ring_progress (policy_id, patch_id, product_id)
  where completed_at is null and stopped_at is null;
