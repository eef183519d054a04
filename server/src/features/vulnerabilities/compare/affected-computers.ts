import { type RawBuilder, sql } from 'kysely'
import { languages } from '../documents/compared-versions.ts'

/**
 * Whether a computer with this platform counts for a component: the aliases of `system_platforms` and `installed_components` in the
 * query. What is true of a package of a language is true on every system.
 */
export const countsOn = (system: string, component: string): RawBuilder<boolean> => sql<boolean>`(
  ${sql.ref(`${system}.platform`)} = ${sql.ref(`${component}.platform`)}
  or ${sql.ref(`${component}.platform`)} in (${sql.join(languages.map((language) => sql.lit(language)))}))`

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
    and ${countsOn('system', component)})`
