-- A token with which agents enrol.
create table enrolment_tokens (
  id integer generated always as identity,
  token_hash bytea not null,
  description text,
  -- The group of the computers that enrol with the token.
  group_id uuid,
  max_uses integer,
  uses integer not null default 0,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  created_at timestamptz not null default now(),
  constraint enrolment_tokens_pkey primary key (id),
  constraint enrolment_tokens_token_hash_key unique (token_hash),
  constraint enrolment_tokens_uses_check check (uses >= 0 and (max_uses is null or uses <= max_uses)),
  constraint enrolment_tokens_group_id_fkey foreign key (group_id) references groups (id) on delete cascade
);

create index enrolment_tokens_group_id_idx on enrolment_tokens (group_id);

-- The agent of a computer, and what it last reported about itself.
create table agents (
  computer_id integer not null,
  secret_hash bytea not null,
  -- Hash of a key that the agent chose before it enrolled. If the answer was lost, the key lets the agent ask again.
  enrolment_key_hash bytea not null,
  enrolment_token_id integer,
  enrolled_at timestamptz not null default now(),
  version text,
  platform text,
  boot_at timestamptz,
  is_reboot_required boolean not null default false,
  reboot_required_source text,
  suspension_mode text,
  suspended_until timestamptz,
  logged_on_user text,
  -- Hash of the settings with which the agent runs.
  settings_hash text,
  state_changed_at timestamptz,
  -- Processes of the agent, newest first. A process that returns after another one was seen shares its identity with
  -- that one.
  recent_runs uuid[] not null default '{}',
  duplicate_seen_at timestamptz,
  -- Which agent program it is.
  kind text not null default 'Muster',
  -- The credential of an agent rotates: the next one is offered with a contact, and replaces the current one when the
  -- agent first uses it.
  next_secret_hash bytea,
  secret_issued_at timestamptz not null default now(),
  constraint agents_pkey primary key (computer_id),
  constraint agents_suspension_mode_check
    check (suspension_mode in ('Suspended', 'PresentationMode', 'MaintenanceMode')),
  constraint agents_computer_id_fkey foreign key (computer_id) references computers (id) on delete cascade,
  constraint agents_enrolment_token_id_fkey
    foreign key (enrolment_token_id) references enrolment_tokens (id) on delete set null,
  constraint agents_kind_check check (kind in ('Muster', 'FusionInventory', 'GLPI', 'OCS'))
) with (fillfactor = 80);

create index agents_enrolment_token_id_idx on agents (enrolment_token_id);

-- Sweeps of pending reboots and of suspended agents.
create index agents_reboot_required_idx on agents (computer_id) where is_reboot_required;
create index agents_suspended_idx on agents (computer_id) where suspension_mode is not null;

-- A device finds the computers for which it has enrolled before.
create index agents_enrolment_key_hash_idx on agents (enrolment_key_hash);

-- The search for the user of a computer.
create index agents_logged_on_user_idx on agents using gin (logged_on_user gin_trgm_ops);

-- A code that lets one agent enrol for one computer, once. A used code is kept until it expires, because the agent may
-- have to repeat its enrolment with it.
create table re_enrolment_codes (
  computer_id integer not null,
  code_hash bytea not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  constraint re_enrolment_codes_pkey primary key (computer_id),
  constraint re_enrolment_codes_code_hash_key unique (code_hash),
  constraint re_enrolment_codes_computer_id_fkey foreign key (computer_id) references computers (id) on delete cascade
);

-- An agent that claims to be the agent of an existing computer and could not prove it. It has a credential, which opens
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
  -- The address from which the agent enrolled.
  address text,
  created_at timestamptz not null default now(),
  -- Set once a person has confirmed an agent for a computer other than the one whose id is in its credential, because
  -- several computers matched equally. The next contact of the agent gets the credential with the right id.
  confirmed_computer_id integer,
  constraint quarantined_agents_pkey primary key (id),
  constraint quarantined_agents_computer_id_enrolment_key_hash_key unique (computer_id, enrolment_key_hash),
  constraint quarantined_agents_kind_check check (kind in ('Muster', 'FusionInventory', 'GLPI', 'OCS')),
  constraint quarantined_agents_computer_id_fkey foreign key (computer_id) references computers (id) on delete cascade,
  constraint quarantined_agents_enrolment_token_id_fkey
    foreign key (enrolment_token_id) references enrolment_tokens (id) on delete set null,
  constraint quarantined_agents_confirmed_computer_id_fkey
    foreign key (confirmed_computer_id) references computers (id) on delete cascade
);

create index quarantined_agents_enrolment_token_id_idx on quarantined_agents (enrolment_token_id);
create index quarantined_agents_confirmed_computer_id_idx on quarantined_agents (confirmed_computer_id);

-- The package from which new computers get their agent, by platform. Only an administrator designates it, and only with
-- the content that was designated: importing and releasing a package is not enough.
create table agent_packages (
  platform text not null,
  package_id uuid not null,
  content_hash bytea not null,
  designated_at timestamptz not null default now(),
  -- Null if nobody has designated the package: an upgrade has taken over the one that was served.
  designated_by text,
  constraint agent_packages_pkey primary key (platform),
  constraint agent_packages_platform_check check (platform in ('Linux', 'Windows')),
  constraint agent_packages_package_id_fkey foreign key (package_id) references packages (id) on delete cascade
);

create index agent_packages_package_id_idx on agent_packages (package_id);

-- An agent of FusionInventory, GLPI or OCS, by the id that it has given itself. It is known from its first message on.
-- It has a computer from its first inventory on, because only the inventory identifies the computer. The id of a device
-- is not secret: it consists of a name and a time. A device is therefore recognised by its id together with its proof:
-- its certificate, or the enrolment token in its address and, for GLPI agents, the id of the agent. A message with the
-- same device id and another proof comes from another device, which can neither act for the first nor block it.
create table fusion_devices (
  id integer generated always as identity,
  device_id text not null,
  enrolment_token_id integer not null,
  computer_id integer,
  kind text not null,
  version text,
  -- Hash of the certificate with which it made its first contact. From then on, it is not accepted without the
  -- certificate.
  certificate_hash bytea,
  first_seen_at timestamptz not null default now(),
  -- When it was last asked for its inventory, and when the last one was stored. The agent cannot know that a message
  -- was lost.
  asked_at timestamptz,
  stored_at timestamptz,
  -- True if a full inventory is stored, to which one that contains only changes can be applied.
  has_base boolean not null default false,
  -- When the device turned out to be another computer: copies of a disk share the id.
  computer_changed_at timestamptz,
  -- The run to which its work belongs: the processes of such an agent cannot be distinguished.
  run_id uuid not null default gen_random_uuid(),
  -- Something has changed the computer since its last inventory.
  is_inventory_due boolean not null default false,
  -- Hash of the id that GLPI agents send in a header. The id is random and shown nowhere.
  agent_id_hash bytea,
  -- True while the first agent id that the device sends is stored.
  adopts_agent_id boolean not null default false,
  -- Addresses for jobs contain the epoch. Those with an earlier one are no longer valid.
  address_epoch integer not null default 1,
  proof bytea not null generated always as (
    coalesce(certificate_hash, int4send(enrolment_token_id) || coalesce(agent_id_hash, ''))) stored,
  constraint fusion_devices_pkey primary key (id),
  constraint fusion_devices_device_id_check check (device_id ~ '^[\x21-\x7e]{1,255}$'),
  constraint fusion_devices_kind_check check (kind in ('FusionInventory', 'GLPI', 'OCS')),
  constraint fusion_devices_certificate_hash_check check (length(certificate_hash) = 32),
  constraint fusion_devices_enrolment_token_id_fkey
    foreign key (enrolment_token_id) references enrolment_tokens (id) on delete cascade,
  constraint fusion_devices_computer_id_fkey foreign key (computer_id) references computers (id) on delete cascade,
  constraint fusion_devices_agent_id_hash_check check (length(agent_id_hash) = 32),
  constraint fusion_devices_device_id_proof_key unique (device_id, proof)
) with (fillfactor = 80);

create index fusion_devices_enrolment_token_id_idx on fusion_devices (enrolment_token_id);
create index fusion_devices_computer_id_idx on fusion_devices (computer_id);

-- Whether a certificate belongs to a device is checked before the message that names the device is read.
create index fusion_devices_certificate_hash_idx on fusion_devices (certificate_hash) where certificate_hash is not null;
