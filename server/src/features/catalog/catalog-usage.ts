import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { assignmentTables } from '../assignments/effective-assignments.ts'

export type Usage = { computers: number; groups: number; configurations: number; packages: number }

const nothing: Usage = { computers: 0, groups: 0, configurations: 0, packages: 0 }

export type UsageOf = (key: string) => Usage

/** Who has values of these variables, by the key of the variable. */
export async function definitionUsage(db: Database, keys: string[]): Promise<UsageOf> {
  const { rows } = await sql<Usage & { key: string }>`
    select lower(d.dotted_name) as key,
      (select count(distinct computer_id) from (
        select computer_id from computer_variables v where v.variable_id = d.id
        union all
        select e.computer_id from variable_collection_entries e where e.variable_id in (d.id, d.parent_id)
          and e.computer_id is not null) as used)::integer as computers,
      (select count(distinct group_id) from (
        select group_id from group_variables v where v.variable_id = d.id
        union all
        select e.group_id from variable_collection_entries e where e.variable_id in (d.id, d.parent_id)
          and e.group_id is not null) as used)::integer as groups,
      (select count(*) from variable_configuration_values v where v.variable_id = d.id)::integer as configurations,
      (select count(*) from package_variables v where v.variable_id = d.id)::integer as packages
    from variable_definitions d
    where lower(d.dotted_name) = any(${keys})`.execute(db)
  return lookup(rows)
}

/** To which groups these configurations or classes are assigned, and how many computers are below them. */
export async function assignmentUsage(
  db: Database,
  kind: 'variableConfiguration' | 'softwareClass',
  keys: string[],
): Promise<UsageOf> {
  const { table, column } = assignmentTables[kind]
  const named = { variableConfiguration: 'variable_configurations', softwareClass: 'software_classes' }[kind]
  const { rows } = await sql<Usage & { key: string }>`
    select lower(object.name) as key, 0 as configurations, 0 as packages,
      count(distinct a.group_id)::integer as groups, count(distinct m.computer_id)::integer as computers
    from ${sql.table(named)} object
      join ${sql.table(table)} a on a.${sql.ref(column)} = object.id
      left join group_ancestors below on below.ancestor_id = a.group_id
      left join group_computers m on m.group_id = below.descendant_id
    where lower(object.name) = any(${keys})
    group by object.id`.execute(db)
  return lookup(rows)
}

function lookup(rows: (Usage & { key: string })[]): UsageOf {
  const found = new Map(rows.map((row) => [row.key, row]))
  return (key) => found.get(key) ?? nothing
}
