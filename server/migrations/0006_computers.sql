-- For the search of computers by parts of their names.
create extension if not exists pg_trgm;

-- One of the thirty free fields of computers. Administrators name and activate them.
create table custom_fields (
  slot text not null,
  designation text not null,
  is_active boolean not null default false,
  position integer not null,
  constraint custom_fields_pkey primary key (slot),
  constraint custom_fields_slot_check check (slot ~ '^Custom(0[1-9]|[12]\d|30)$'),
  constraint custom_fields_designation_check check (designation ~ '\S' and length(designation) <= 50),
  constraint custom_fields_position_key unique (position)
);

create unique index custom_fields_designation_key on custom_fields (lower(designation));

insert into custom_fields (slot, designation, position)
select 'Custom' || lpad(n::text, 2, '0'), 'Custom' || lpad(n::text, 2, '0'), n from generate_series(1, 30) n;

-- One managed computer. A computer is identified by its MAC address or its UUID.
create table computers (
  id integer generated always as identity,
  name text not null,
  domain text not null,
  is_domain boolean not null,
  role text not null default 'Client',
  inventory_id text,
  mac_address text,
  -- The address without separators and case, by which it is compared.
  mac_key text generated always as (nullif(lower(regexp_replace(mac_address, '[^[:alnum:]]', '', 'g')), '')) stored,
  uuid uuid,
  pxe_support boolean not null default false,
  ip_address text,
  subnet_mask text,
  standard_gateway text,
  -- Custom field slot to value; slots without a value are left out.
  custom jsonb not null default '{}',
  created_at timestamptz not null default now(),
  modified_at timestamptz not null default now(),
  -- The rest is filled by the last inventory.
  inventory_at timestamptz,
  manufacturer text,
  model text,
  os_name text,
  os_edition text,
  os_version text,
  os_build text,
  platform text,
  language text,
  architecture text,
  memory_mb integer,
  reported_ip_address text,
  constraint computers_pkey primary key (id),
  constraint computers_role_check check (role in ('Client', 'DepotServer', 'MasterServer')),
  constraint computers_identity_check check (mac_address is not null or uuid is not null),
  constraint computers_mac_key_key unique (mac_key)
);

create unique index computers_name_domain_key on computers (lower(name), lower(domain));
create unique index computers_master_server_key on computers (role) where role = 'MasterServer';

-- Enrolment and boot: the computer with a UUID. Cloned disks may share one.
create index computers_uuid_idx on computers (uuid);

-- Lists with `modifiedAfter`, and the sweep of stale inventories.
create index computers_modified_at_idx on computers (modified_at);
create index computers_inventory_at_idx on computers (inventory_at);

-- Search for a part of any of these, alone or together.
create index computers_search_idx on computers using gin (
  name gin_trgm_ops, domain gin_trgm_ops, mac_address gin_trgm_ops, mac_key gin_trgm_ops, ip_address gin_trgm_ops,
  reported_ip_address gin_trgm_ops, manufacturer gin_trgm_ops, os_name gin_trgm_ops, os_edition gin_trgm_ops,
  os_version gin_trgm_ops, os_build gin_trgm_ops, platform gin_trgm_ops, language gin_trgm_ops,
  architecture gin_trgm_ops);

-- For the two criteria of the search that pick few computers and are not text.
create index computers_memory_mb_idx on computers (memory_mb);

-- Sweep over disks that are not encrypted: it does not compare texts of the whole fleet.
create index computers_windows_idx on computers (id) where platform ilike '%windows%' or os_name ilike '%windows%';

-- All questions about the fleet can be narrowed to a domain.
create index computers_domain_idx on computers (lower(domain));

-- When the agent of a computer last made contact. Separate from `computers` and without an index on the time so that
-- the most frequent update of all stays within its page.
create table computer_contacts (
  computer_id integer not null,
  last_seen_at timestamptz not null,
  constraint computer_contacts_pkey primary key (computer_id),
  constraint computer_contacts_computer_id_fkey foreign key (computer_id) references computers (id) on delete cascade
) with (fillfactor = 60);

-- A computer that is a member of a group.
create table group_computers (
  group_id uuid not null,
  computer_id integer not null,
  -- Follows from the kind of the group, which can change with its members.
  is_exclusive boolean not null,
  added_at timestamptz not null default now(),
  -- True if a rule has added the member. Only these leave when they no longer match.
  is_by_rule boolean not null default false,
  constraint group_computers_pkey primary key (group_id, computer_id),
  constraint group_computers_computer_id_fkey foreign key (computer_id) references computers (id) on delete cascade,
  constraint group_computers_group_id_fkey
    foreign key (group_id, is_exclusive) references groups (id, is_exclusive) on delete cascade on update cascade
);

create index group_computers_computer_id_idx on group_computers (computer_id, group_id);
create unique index group_computers_exclusive_key on group_computers (computer_id) where is_exclusive;

create view effective_memberships as
  select member.computer_id, member.group_id, own.tree, own.path
  from group_computers member
    join groups own on own.id = member.group_id
  where own.kind <> 'Reinstall';

comment on view effective_memberships is
  'The memberships through which assignments, variables and activations reach a computer.';

-- The distinct domains of computers, in lower case. It jumps from each to the next in the index. With old
-- statistics, the planner would read the whole table for each jump.
create function computer_domains() returns setof text
language plpgsql stable
set enable_seqscan = off
set enable_bitmapscan = off
as $$
declare
  found_domain text := (select min(lower(domain)) from computers);
begin
  while found_domain is not null loop
    return next found_domain;
    found_domain := (select min(lower(domain)) from computers where lower(domain) > found_domain);
  end loop;
end
$$;
