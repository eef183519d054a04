import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { assignmentTables } from '../assignments/effective-assignments.ts'

/** How many computers, groups, variable configurations and packages use an object. */
export type CatalogUsage = { computers: number; groups: number; configurations: number; packages: number }

export const noUsage: CatalogUsage = { computers: 0, groups: 0, configurations: 0, packages: 0 }

export type UsageLookup = (key: string) => CatalogUsage

/** Counts the computers, groups, configurations and packages that have a value of each variable. */
export async function loadDefinitionUsage(db: Database, keys: string[]): Promise<UsageLookup> {
  const { rows } = await sql<CatalogUsage & { key: string }>`
    select lower(definition.dotted_name) as key,
      (select count(distinct computer_id) from (
        select computer_id from computer_variables stored where stored.variable_id = definition.id
        union all
        select entry.computer_id from variable_collection_entries entry
        where entry.variable_id in (definition.id, definition.parent_id) and entry.computer_id is not null) as owner)::integer as computers,
      (select count(distinct group_id) from (
        select group_id from group_variables stored where stored.variable_id = definition.id
        union all
        select entry.group_id from variable_collection_entries entry
        where entry.variable_id in (definition.id, definition.parent_id) and entry.group_id is not null) as owner)::integer as groups,
      (select count(*) from variable_configuration_values stored
        where stored.variable_id = definition.id)::integer as configurations,
      (select count(*) from package_variables stored where stored.variable_id = definition.id)::integer as packages
    from variable_definitions definition
    where lower(definition.dotted_name) = any(${keys})`.execute(db)
  return toUsageLookup(rows)
}

/** Counts the groups that the configurations or classes are assigned to, and the computers in and below these groups. */
export async function loadAssignmentUsage(
  db: Database,
  kind: 'variableConfiguration' | 'softwareClass',
  keys: string[],
): Promise<UsageLookup> {
  const { table, column } = assignmentTables[kind]
  const objectTable = { variableConfiguration: 'variable_configurations', softwareClass: 'software_classes' }[kind]
  const { rows } = await sql<CatalogUsage & { key: string }>`
    select lower(object.name) as key, 0 as configurations, 0 as packages,
      count(distinct assignment.group_id)::integer as groups, count(distinct member.computer_id)::integer as computers
    from ${sql.table(objectTable)} object
      join ${sql.table(table)} assignment on assignment.${sql.ref(column)} = object.id
      left join group_ancestors below on below.ancestor_id = assignment.group_id
      left join group_computers member on member.group_id = below.descendant_id
    where lower(object.name) = any(${keys})
    group by object.id`.execute(db)
  return toUsageLookup(rows)
}

function toUsageLookup(rows: (CatalogUsage & { key: string })[]): UsageLookup {
  const usageByKey = new Map(rows.map((row) => [row.key, row]))
  return (key) => usageByKey.get(key) ?? noUsage
}
