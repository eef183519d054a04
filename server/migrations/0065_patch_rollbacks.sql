-- Whether computers that have the stopped patch roll it back.
alter table patch_ring_progress add column rolls_back boolean not null default false,
  add constraint patch_ring_progress_rolls_back_check check (not rolls_back or stopped_at is not null);

-- The patches that any computer may have to roll back: few at any time. Every scan looks here first.
create index patch_ring_progress_rolls_back_idx on patch_ring_progress (patch_id, product_id, policy_id) where rolls_back;

-- A computer whose agent was asked to roll a stopped patch back, and what became of it. Deleted when the patch is resumed.
create table patch_rollbacks (
  policy_id integer not null,
  patch_id integer not null,
  product_id integer not null,
  computer_id integer not null,
  -- How often this version of the agent was asked.
  attempts smallint not null,
  agent_version text,
  asked_at timestamptz not null default now(),
  -- What the agent has answered; null before that.
  outcome text,
  -- Why it did not do it, as a sentence for people; or the version that is installed now.
  reason text,
  ended_at timestamptz,
  constraint patch_rollbacks_pkey primary key (policy_id, patch_id, product_id, computer_id),
  constraint patch_rollbacks_outcome_check check (outcome in ('RolledBack', 'Refused')),
  constraint patch_rollbacks_ended_at_check check ((outcome is null) = (ended_at is null)),
  constraint patch_rollbacks_policy_id_patch_id_product_id_fkey
    foreign key (policy_id, patch_id, product_id) references patch_ring_progress (policy_id, patch_id, product_id) on delete cascade,
  constraint patch_rollbacks_computer_id_fkey foreign key (computer_id) references computers (id) on delete cascade
);

create index patch_rollbacks_computer_id_idx on patch_rollbacks (computer_id, patch_id, product_id);
