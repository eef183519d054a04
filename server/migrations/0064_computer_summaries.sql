-- The list of computers for people filters, counts and sorts the whole fleet by a few values. They are kept in one narrow
-- row per computer, so that nothing has to read the wide rows of all computers.
create table computer_summaries (
  computer_id integer not null,
  -- Copied from the row of the computer by triggers.
  name_key text not null,
  operating_system text,
  os_version text,
  model text,
  address_key inet,
  -- Recorded whenever the fleet is counted: these change with time, or are expensive to derive.
  agent_status text not null default 'Unknown',
  health_status text not null default 'Unreachable',
  contact_age text not null default 'Never',
  issues text[] not null default '{}',
  constraint computer_summaries_pkey primary key (computer_id),
  constraint computer_summaries_computer_id_fkey foreign key (computer_id) references computers (id) on delete cascade,
  constraint computer_summaries_agent_status_check check (agent_status in ('Reporting', 'Stale', 'Silent', 'Unknown')),
  constraint computer_summaries_health_status_check check (health_status in ('Healthy', 'Warning', 'Unreachable')),
  constraint computer_summaries_contact_age_check check (contact_age in ('Day', 'Week', 'Month', 'Older', 'Never'))
) with (fillfactor = 80);

-- The first page in the usual order reads no other rows.
create index computer_summaries_name_key_idx on computer_summaries (name_key, computer_id);

-- The address, or null for any other text: what agents report about themselves may be anything.
create function valid_address(address text) returns inet language plpgsql immutable strict parallel safe as $$
begin
  return address::inet;
exception when data_exception then
  return null;
end $$;

insert into computer_summaries (computer_id, name_key, operating_system, os_version, model, address_key)
select id, lower(name), nullif(concat_ws(' ', os_name, os_edition), ''), os_version, model,
  valid_address(coalesce(reported_ip_address, ip_address))
from computers;

-- Only who has locked the row of a computer gets here, so that nobody waits for a row of this table in another order.
create function summarise_computer() returns trigger language plpgsql as $$
begin
  insert into computer_summaries as summary (computer_id, name_key, operating_system, os_version, model, address_key)
  values (new.id, lower(new.name), nullif(concat_ws(' ', new.os_name, new.os_edition), ''), new.os_version, new.model,
    valid_address(coalesce(new.reported_ip_address, new.ip_address)))
  on conflict on constraint computer_summaries_pkey do update set
    name_key = excluded.name_key, operating_system = excluded.operating_system, os_version = excluded.os_version,
    model = excluded.model, address_key = excluded.address_key;
  return null;
end $$;

create trigger computers_summarise_insert after insert on computers
  for each row execute function summarise_computer();
create trigger computers_summarise_update after update on computers
  for each row when (
    (old.name, old.os_name, old.os_edition, old.os_version, old.model, old.ip_address, old.reported_ip_address)
    is distinct from
    (new.name, new.os_name, new.os_edition, new.os_version, new.model, new.ip_address, new.reported_ip_address))
  execute function summarise_computer();

-- The search for the user of a computer.
create index agents_logged_on_user_idx on agents using gin (logged_on_user gin_trgm_ops);

-- How many computers have each combination of the values above, as of the last count. There are few combinations, so that
-- the counts of the whole fleet by any value are sums over few rows.
alter table fleet_statistics add column combinations jsonb not null default '[]';
