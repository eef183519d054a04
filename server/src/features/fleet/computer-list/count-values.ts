import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { containing } from '../../../platform/like-pattern.ts'
import { type ComputerFilter, matchesBeyondFacets, matchesFacets, type PropertyFilter } from './filter.ts'

/** More values than this are not a choice for people. The rarest are left out. */
const maxValues = 100

export type CountedProperty = {
  property: PropertyFilter
  /** The slot of the custom field, for that property. */
  slot: string
  /** Only values with this text. */
  find?: string | undefined
}

type ValueCount = { value: string; name: string; count: number }

/** Selects the `name` of each value of the property of each row `summary`; empty if it is unknown. */
const names: Record<PropertyFilter, (slot: string) => RawBuilder<unknown>> = {
  osVersion: () => sql`select coalesce(summary.os_version, '') as name`,
  model: () => sql`select coalesce(summary.model, '') as name`,
  tag: () => sql`
    select tags.designation as name from computer_tags join tags on tags.id = computer_tags.tag_id
    where computer_tags.computer_id = summary.computer_id`,
  customField: (slot) => sql`
    select coalesce(computers.custom ->> field.slot, '') as name
    from computers join custom_fields field on field.slot = ${slot} and field.is_active
    where computers.id = summary.computer_id`,
}

function withoutProperty(filter: ComputerFilter, property: PropertyFilter, slot: string): ComputerFilter {
  const { [property]: own = [], ...others } = filter
  if (property !== 'customField') return others
  return { ...others, customField: own.filter((value) => !value.startsWith(`${slot}=`)) }
}

/** Counts the computers that meet the filter, apart from the one of the property itself, by the values of the property. */
export async function countValues(
  db: Database,
  { property, slot, find }: CountedProperty,
  filter: ComputerFilter,
  isFound: RawBuilder<boolean>,
): Promise<ValueCount[]> {
  const others = withoutProperty(filter, property, slot)
  const parameter = property === 'customField' ? sql`${slot} || '=' || counted.name` : sql`counted.name`
  const { rows } = await sql<ValueCount>`
    select ${parameter} as value, counted.name, counted.count
    from (
      select own.name, count(*)::integer as count
      from computer_summaries summary cross join lateral (${names[property](slot)}) as own
      where ${matchesFacets(filter)} and ${matchesBeyondFacets(others)} and ${isFound}
        and ${find ? sql`own.name ilike ${containing(find)}` : sql`true`}
      group by 1
    ) as counted
    order by counted.count desc, counted.name limit ${maxValues}`.execute(db)
  return rows
}
