import { type RawBuilder, sql } from 'kysely'
import { explicitValues } from './explicit-values.ts'
import { packageUses } from './packages-with-variable.ts'

/** A variable may have a value on every computer. Lists say how much a variable is used, and the exact number has no use. */
export const maxCountedUses = 1_000

export type VariableUses = { computers: number; groups: number; configurations: number; packages: number }

/** Counts what has a value of a variable or uses it, up to a limit. `definition` is the alias of `variable_definitions`. */
export function countVariableUses(definition: string): RawBuilder<VariableUses> {
  const id = sql.ref(`${definition}.id`)
  return sql<VariableUses>`jsonb_build_object(
    'computers', ${countOf(valuesOf('computer', id))},
    'groups', ${countOf(valuesOf('group', id))},
    'configurations', ${countOf(sql`select 1 from variable_configuration_values where variable_id = ${id}`)},
    'packages', ${countOf(sql`select distinct package_id from (${packageUses(definition)}) as used`)})`
}

const valuesOf = (owner: 'computer' | 'group', id: RawBuilder<unknown>) =>
  sql`select 1 from ${explicitValues(owner, id)} as stored`

const countOf = (rows: RawBuilder<unknown>) =>
  sql`(select count(*) from (select 1 from (${rows}) as every_use limit ${maxCountedUses}) as counted)`
