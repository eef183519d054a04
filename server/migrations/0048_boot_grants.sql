-- What a boot script gives to the address that asked for it, and what the installer reported with it. A grant belongs to
-- one activation and is deleted when PXE ends there, so that no token outlives the installation for which it was issued.
create table boot_grants (
  id uuid not null default gen_random_uuid(),
  computer_id integer not null,
  activation_id bigint not null,
  -- The address that asked for the script. Each address has a grant of its own, so that one cannot end that of another.
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
