import { sql } from 'kysely'
import { executePrepared } from '../../../database/prepared-statements.ts'
import { WindowsService } from '../items.ts'
import { listSection } from './section.ts'

const maxServices = 5000

type ServiceRow = {
  name: string
  display_name: string | null
  start_mode: string | null
  account: string | null
  status: string
}

/** Like software: definitions that are new to the fleet are added, then only the rows that differ are changed. */
export const servicesSection = listSection({
  name: 'services',
  item: WindowsService,
  maxItems: maxServices,
  hasDictionary: true,
  async prepareChanges(db, computerId, items) {
    const reportedServices = sql<ServiceRow>`
      select distinct on (name, display_name, start_mode, account) name, display_name, start_mode, account, status
      from unnest(
        ${items.map((item) => item.name)}::text[],
        ${items.map((item) => item.displayName)}::text[],
        ${items.map((item) => item.startMode)}::text[],
        ${items.map((item) => item.account)}::text[],
        ${items.map((item) => item.status)}::text[]
      ) as item (name, display_name, start_mode, account, status)
      order by name, display_name, start_mode, account, status`
    const isSameDefinition = sql<boolean>`
      definition.name = reported.name and definition.display_name is not distinct from reported.display_name
      and definition.start_mode is not distinct from reported.start_mode
      and definition.account is not distinct from reported.account`
    await executePrepared(
      db,
      sql`
        insert into service_definitions (name, display_name, start_mode, account)
        select name, display_name, start_mode, account from (${reportedServices}) as reported
        where not exists (select from service_definitions definition where ${isSameDefinition})
        order by name, display_name, start_mode, account
        on conflict on constraint service_definitions_key do nothing`,
    )
    return {
      ctes: [
        sql`
          current_services as materialized (
            select definition.id, reported.status
            from (${reportedServices}) as reported join service_definitions definition on ${isSameDefinition}
          )`,
        sql`
          gone_services as (
            delete from computer_services
            where computer_id = ${computerId} and definition_id not in (select id from current_services)
          )`,
        sql`
          stored_services as (
            insert into computer_services (computer_id, definition_id, status)
            select ${computerId}, id, status from current_services
            where (id, status) not in (
              select definition_id, status from computer_services where computer_id = ${computerId})
            on conflict on constraint computer_services_pkey do update set status = excluded.status
          )`,
      ],
    }
  },
})
