-- Which program is the agent of a computer.
alter table agents
  add column kind text not null default 'Muster',
  add constraint agents_kind_check check (kind in ('Muster', 'FusionInventory', 'GLPI', 'OCS'));

-- An agent of FusionInventory, GLPI or OCS, by the id that it gave itself. It is known from its first word on, and has a
-- computer from its first inventory on, because only that tells which one it is.
create table fusion_devices (
  id integer generated always as identity,
  device_id text not null,
  enrolment_token_id integer not null,
  computer_id integer,
  kind text not null,
  version text,
  -- Of the certificate with which it came first; it never comes without it again.
  certificate_hash bytea,
  first_seen_at timestamptz not null default now(),
  -- When it was last asked for its inventory, and when the last one was stored: the agent takes for sent what got lost.
  asked_at timestamptz,
  stored_at timestamptz,
  -- A whole inventory was stored, on which one with only the changes can be put.
  has_base boolean not null default false,
  -- Its computer has become another one: copies of a disk share the id.
  computer_changed_at timestamptz,
  constraint fusion_devices_pkey primary key (id),
  constraint fusion_devices_device_id_key unique (device_id),
  constraint fusion_devices_device_id_check check (device_id ~ '^[\x21-\x7e]{1,255}$'),
  constraint fusion_devices_kind_check check (kind in ('FusionInventory', 'GLPI', 'OCS')),
  constraint fusion_devices_certificate_hash_check check (length(certificate_hash) = 32),
  constraint fusion_devices_enrolment_token_id_fkey
    foreign key (enrolment_token_id) references enrolment_tokens (id) on delete cascade,
  constraint fusion_devices_computer_id_fkey foreign key (computer_id) references computers (id) on delete cascade
) with (fillfactor = 80);

create index fusion_devices_enrolment_token_id_idx on fusion_devices (enrolment_token_id);
create index fusion_devices_computer_id_idx on fusion_devices (computer_id);
