import { sql } from 'kysely'
import { ensureEntries } from '../dictionaries.ts'
import { WindowsService } from '../items.ts'
import { listSection } from './section.ts'

const maxServices = 5000

/** Like software: definitions that are new to the fleet are added, then only the rows that differ are changed. */
export const servicesSection = listSection({
  name: 'services',
  item: WindowsService,
  maxItems: maxServices,
  async prepareChanges(db, computerId, services) {
    const ids = await ensureEntries(db, 'service_definitions', {
      name: services.map(({ name }) => name),
      display_name: services.map(({ displayName }) => displayName),
      start_mode: services.map(({ startMode }) => startMode),
      account: services.map(({ account }) => account),
    })
    // If a service is reported twice, its last status counts.
    const statuses = new Map(ids.map((id, at) => [id, services[at]?.status ?? '']))
    return {
      ctes: [
        sql`
          current_services as materialized (
            select id, status
            from unnest(${[...statuses.keys()]}::integer[], ${[...statuses.values()]}::text[]) as service (id, status)
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
