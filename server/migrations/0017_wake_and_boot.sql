-- An IPv4 address, or null for any other text: what agents report about themselves may be anything.
create function ipv4(address text) returns inet language plpgsql immutable strict parallel safe as $$
begin
  return case when family(address::inet) = 4 then host(address::inet)::inet end;
exception when data_exception then
  return null;
end $$;

-- The address with the length of the mask, null unless both are known.
create function ipv4_with_mask(address text, mask text) returns inet language plpgsql immutable strict parallel safe as $$
declare
  known_mask inet := ipv4(mask);
begin
  return (
    select set_masklen(ipv4(address), bits) from generate_series(1, 32) as bits
    where netmask(set_masklen('0.0.0.0'::inet, bits)) = known_mask);
end $$;

-- A computer to be woken, by the depot near it or by the service itself.
create table wake_requests (
  id bigint generated always as identity,
  computer_id integer not null,
  wake_at timestamptz not null,
  depot_id integer,
  attempts integer not null default 0,
  sent_at timestamptz,
  -- When the service sends the request itself, if nobody has sent it by then. Null until the service has looked for a
  -- depot; moved to a later time when a depot is asked or an attempt fails.
  retry_at timestamptz,
  constraint wake_requests_pkey primary key (id),
  constraint wake_requests_computer_id_fkey foreign key (computer_id) references computers (id) on delete cascade,
  constraint wake_requests_depot_id_fkey foreign key (depot_id) references computers (id) on delete set null
);

create index wake_requests_computer_id_idx on wake_requests (computer_id);
create index wake_requests_depot_id_idx on wake_requests (depot_id);

-- Requests to send now, to send again, and to purge.
create index wake_requests_waiting_idx on wake_requests (wake_at) where sent_at is null and retry_at is null;
create index wake_requests_retry_at_idx on wake_requests (retry_at) where sent_at is null;
create index wake_requests_sent_at_idx on wake_requests (sent_at) where sent_at is not null;

-- What a boot script gives to the address that asked for it, and what the installer reported with it. A grant belongs
-- to one activation and is deleted when PXE ends there, so no token outlives the installation for which it was issued.
create table boot_grants (
  id uuid not null default gen_random_uuid(),
  computer_id integer not null,
  activation_id bigint not null,
  -- The address that asked for the script. Each address has a grant of its own, so one cannot end that of another.
  address text not null,
  fetched_at timestamptz not null default now(),
  -- Set while the report waits to be confirmed.
  reported_at timestamptz,
  reported_from text,
  status text,
  message text,
  language_packs uuid[],
  constraint boot_grants_pkey primary key (id),
  constraint boot_grants_computer_id_address_key unique (computer_id, address),
  constraint boot_grants_status_check check (status in ('Success', 'Failed')),
  constraint boot_grants_report_check check ((reported_at is null) = (status is null)),
  constraint boot_grants_computer_id_fkey foreign key (computer_id) references computers (id) on delete cascade,
  constraint boot_grants_activation_id_fkey foreign key (activation_id) references activations (id) on delete cascade
);

create index boot_grants_activation_id_idx on boot_grants (activation_id);

-- An activation with other bits outlives its bit pxe.
create function delete_ended_boot_grants() returns trigger language plpgsql as $$
begin
  delete from boot_grants where activation_id in (select id from changed where not pxe);
  return null;
end $$;

create trigger activations_delete_ended_boot_grants after update on activations
  referencing new table as changed for each statement execute function delete_ended_boot_grants();
