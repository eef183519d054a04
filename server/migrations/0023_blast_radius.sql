-- An action that counts against a quota. Rows are purged when they are older than an hour.
create table destructive_actions (
  id bigint generated always as identity,
  principal_id integer not null,
  computer_count integer not null,
  happened_at timestamptz not null default clock_timestamp(),
  -- The computers of a change after which an activation removes software: they are not counted again for their
  -- activation. Null for other actions.
  computer_ids integer[],
  constraint destructive_actions_pkey primary key (id),
  constraint destructive_actions_principal_id_fkey
    foreign key (principal_id) references principals (id) on delete cascade
);

create index destructive_actions_principal_id_idx on destructive_actions (principal_id, happened_at);

-- Purge of rows that no longer count.
create index destructive_actions_happened_at_idx on destructive_actions (happened_at);

-- A request above a quota, which a second principal approves or denies. An approval binds the computers that the
-- request affected when it was made.
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
  -- Deleted when the wait ends, with the request.
  computer_ids integer[],
  -- The groups, the computer and the package that the request names, and the first of its computers: ids, and their
  -- names at the time of the request.
  subjects jsonb not null default '[]',
  first_computers jsonb not null default '[]',
  -- What the computers of a request would get when it was made: kinds of work, with the names and hashes of packages.
  -- Null for requests that give computers nothing.
  content text[],
  constraint approvals_pkey primary key (id),
  constraint approvals_requester_id_fkey foreign key (requester_id) references principals (id) on delete cascade,
  constraint approvals_state_check check (state in ('Pending', 'Executed', 'Failed', 'Denied', 'Expired')),
  constraint approvals_decided_check check (
    (state in ('Pending', 'Expired')) = (decided_at is null) and (state = 'Pending') = (sealed_request is not null)
    and (state = 'Pending') = (computer_ids is not null))
);

create unique index approvals_pending_key on approvals (requester_id, request_hash) where state = 'Pending';
create index approvals_requester_id_idx on approvals (requester_id);

-- Requests that expire.
create index approvals_expires_at_idx on approvals (expires_at);

create trigger approvals_require_active_principal before insert on approvals
  for each row execute function require_active_principal();
