import { type RawBuilder, sql } from 'kysely'

/**
 * A `from` item: the computers on which a component is installed, as `computer_id`. `component` is an alias of `installed_components`
 * in the surrounding query. A product counts only on computers with the platform that was compared.
 */
export const computersWithComponent = (component: string): RawBuilder<{ computer_id: number }> => sql<{
  computer_id: number
}>`lateral (
  select installed.computer_id
  from installed_software installed
    join computers on computers.id = installed.computer_id
    join system_platforms system on system.os_name = computers.os_name
      and system.os_version = coalesce(computers.os_version, '')
  where installed.product_id = ${sql.ref(`${component}.product_id`)}
    and system.platform = ${sql.ref(`${component}.platform`)})`
