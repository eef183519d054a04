-- The credential of an agent rotates: the next one is offered with a contact, and replaces the current one when the agent
-- first uses it.
alter table agents
  add column next_secret_hash bytea,
  add column secret_issued_at timestamptz not null default now(),
  drop column re_enrolment_until;

update agents set secret_issued_at = enrolled_at;

-- Lets one agent enrol for one computer, once. A used code is kept until it expires, because the agent may have to repeat
-- its enrolment with it.
create table re_enrolment_codes (
  computer_id integer not null,
  code_hash bytea not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  constraint re_enrolment_codes_pkey primary key (computer_id),
  constraint re_enrolment_codes_code_hash_key unique (code_hash),
  constraint re_enrolment_codes_computer_id_fkey foreign key (computer_id) references computers (id) on delete cascade
);

-- Agents that claim to be the agent of an existing computer and could not prove it. Each has a credential, which opens
-- nothing until a person confirms the agent.
create table quarantined_agents (
  id integer generated always as identity,
  computer_id integer not null,
  secret_hash bytea not null,
  enrolment_key_hash bytea not null,
  enrolment_token_id integer,
  kind text not null,
  version text not null,
  platform text not null,
  -- What the agent reported about its computer.
  name text not null,
  domain text not null,
  uuid uuid,
  mac_address text,
  serial_number text,
  -- Which of these the existing computer has as well.
  matched_by text[] not null,
  -- From where the agent enrolled.
  address text,
  created_at timestamptz not null default now(),
  constraint quarantined_agents_pkey primary key (id),
  constraint quarantined_agents_computer_id_enrolment_key_hash_key unique (computer_id, enrolment_key_hash),
  constraint quarantined_agents_kind_check check (kind in ('Muster', 'FusionInventory', 'GLPI', 'OCS')),
  constraint quarantined_agents_computer_id_fkey foreign key (computer_id) references computers (id) on delete cascade,
  constraint quarantined_agents_enrolment_token_id_fkey
    foreign key (enrolment_token_id) references enrolment_tokens (id) on delete set null
);

create index quarantined_agents_enrolment_token_id_idx on quarantined_agents (enrolment_token_id);
