import { sql } from 'kysely'
import { lockDictionariesShared } from '../dictionaries.ts'
import { WindowsService } from '../items.ts'
import { listSection } from './section.ts'

const most = 5000

/** As with software: what is new to the fleet is added, then what differs on this computer is changed. */
export const services = listSection('services', WindowsService, most, async (db, computerId, items) => {
  const told = sql`
    select distinct on (name, display_name, start_mode, account) name, display_name, start_mode, account, status
    from unnest(
      ${items.map((item) => item.name)}::text[],
      ${items.map((item) => item.displayName)}::text[],
      ${items.map((item) => item.startMode)}::text[],
      ${items.map((item) => item.account)}::text[],
      ${items.map((item) => item.status)}::text[]
    ) as item (name, display_name, start_mode, account, status)
    order by name, display_name, start_mode, account, status`
  const isTold = sql`
    known.name = told.name and known.display_name is not distinct from told.display_name
    and known.start_mode is not distinct from told.start_mode and known.account is not distinct from told.account`
  await lockDictionariesShared(db)
  await sql`
    insert into service_definitions (name, display_name, start_mode, account)
    select name, display_name, start_mode, account from (${told}) as told
    where not exists (select from service_definitions known where ${isTold})
    order by name, display_name, start_mode, account
    on conflict on constraint service_definitions_key do nothing`.execute(db)
  await sql`
    with present as materialized (
      select known.id, told.status from (${told}) as told join service_definitions known on ${isTold}
    ), gone as (
      delete from computer_services
      where computer_id = ${computerId} and definition_id not in (select id from present)
    )
    insert into computer_services (computer_id, definition_id, status)
    select ${computerId}, id, status from present
    where (id, status) not in (
      select definition_id, status from computer_services where computer_id = ${computerId})
    on conflict on constraint computer_services_pkey do update set status = excluded.status`.execute(db)
})
