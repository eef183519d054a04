-- What a boot script gives to an address belongs to the installation of the computer: the open work item. Any of several groups
-- may justify it, so a grant and the report of its installer outlive each of them, and end with the installation. No foreign
-- key: deleting old work would look for grants of every item, and ids are never used again.
alter table boot_grants
  add column work_id bigint,
  alter column activation_id drop not null,
  drop constraint boot_grants_activation_id_fkey;
drop index boot_grants_activation_id_idx;

create function installation_of(computer integer) returns bigint language sql stable as $$
  select max(id) from work where computer_id = computer and kind = 'OperatingSystem' and state in ('Due', 'Leased')
$$;

update boot_grants set work_id = installation_of(computer_id), activation_id = null;
delete from boot_grants where work_id is null;
alter table boot_grants alter column work_id set not null;

-- Nodes of the version before insert a grant with the activation alone.
create function set_installation_of_boot_grant() returns trigger language plpgsql as $$
begin
  new.work_id := installation_of(new.computer_id);
  new.activation_id := null;
  return new;
end $$;

create trigger boot_grants_set_installation before insert on boot_grants
  for each row when (new.work_id is null) execute function set_installation_of_boot_grant();

-- Without an activation for PXE, there is no installation. Grants would not count any more, and would keep addresses for nothing.
create or replace function delete_ended_boot_grants() returns trigger language plpgsql as $$
begin
  delete from boot_grants where id = any(array(
    select id from boot_grants
    where computer_id in (select computer_id from changed) and not exists (
      select from activations where activations.computer_id = boot_grants.computer_id and activations.pxe)
    order by computer_id, address for update));
  return null;
end $$;

create trigger activations_delete_boot_grants after delete on activations
  referencing old table as changed for each statement execute function delete_ended_boot_grants();
