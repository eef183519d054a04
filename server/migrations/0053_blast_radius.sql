-- How many computers a principal may affect by destructive actions within an hour without an approval; null: any number.
-- A caller with a token has another quota than one who is signed in to the console.
alter table installation
  add column api_quota integer,
  add column console_quota integer default 500,
  -- While the installation is frozen, no new work is handed out.
  add column frozen_at timestamptz,
  add column frozen_by text,
  add column freeze_reason text,
  add constraint installation_api_quota_check check (api_quota >= 0),
  add constraint installation_console_quota_check check (console_quota >= 0),
  add constraint installation_frozen_check check ((frozen_at is null) = (frozen_by is null) and (frozen_at is null) = (freeze_reason is null));

-- What counts against the quotas. Rows are purged when they are older than an hour.
create table destructive_actions (
  id bigint generated always as identity,
  principal_id integer not null,
  computer_count integer not null,
  happened_at timestamptz not null default clock_timestamp(),
  constraint destructive_actions_pkey primary key (id),
  constraint destructive_actions_principal_id_fkey foreign key (principal_id) references principals (id) on delete cascade
);

create index destructive_actions_principal_id_idx on destructive_actions (principal_id, happened_at);
create index destructive_actions_happened_at_idx on destructive_actions (happened_at);

-- Requests above the quota, which a second principal approves.
create table approvals (
  id uuid not null default new_uuid(),
  requester_id integer not null,
  requester_name text not null,
  operation text not null,
  target text not null,
  -- Query and body for people to read, without secrets.
  request jsonb not null,
  computer_count integer not null,
  -- A keyed hash of the request and its count: repeating a request does not add another one.
  request_hash bytea not null,
  -- The whole request, encrypted. Deleted with the decision.
  sealed_request bytea,
  state text not null default 'Pending',
  requested_at timestamptz not null default now(),
  expires_at timestamptz not null default now() + interval '24 hours',
  decided_at timestamptz,
  decided_by text,
  -- The answer to the request, once it has run.
  answer_status integer,
  problem_code text,
  constraint approvals_pkey primary key (id),
  constraint approvals_requester_id_fkey foreign key (requester_id) references principals (id) on delete cascade,
  constraint approvals_state_check check (state in ('Pending', 'Executed', 'Failed', 'Denied')),
  constraint approvals_decided_check check (
    (state = 'Pending') = (decided_at is null) and (state = 'Pending') = (sealed_request is not null))
);

create unique index approvals_pending_key on approvals (requester_id, request_hash) where state = 'Pending';
create index approvals_requester_id_idx on approvals (requester_id);
create index approvals_expires_at_idx on approvals (expires_at);
