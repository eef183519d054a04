import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { containing } from '../../platform/like-pattern.ts'
import { effectiveVariables } from '../variable-resolution/effective-variables.ts'

/**
 * The ids of the computers whose effective OU contains the text. Candidates are found where such a value is stored;
 * which of them it holds for, is for the resolver to say. So a rare text costs what its candidates cost, not the fleet.
 */
export async function withEffectiveOu(db: Database, text: string): Promise<RawBuilder<number>> {
  const pattern = containing(text)
  const { rows } = await sql`
    select from variable_definitions
    where id = (${ouVariableId}) and default_value ilike ${pattern}`.execute(db)
  // Whoever has no other value has the default, so that everybody is a candidate when it matches.
  const candidates = rows.length > 0 ? sql`select id as owner_id from computers` : holders(pattern)
  const effective = effectiveVariables('computer', candidates, ouVariableId)
  return sql<number>`(select owner_id from (${effective}) as ou where ou.value ilike ${pattern})`
}

function holders(pattern: string): RawBuilder<unknown> {
  const matches = sql`variable_id = (${ouVariableId}) and value ilike ${pattern}`
  return sql`
    select computer_id as owner_id from computer_variables where ${matches}
    union
    select member.computer_id
    from group_ancestors below join group_computers member on member.group_id = below.descendant_id
    where below.ancestor_id in (
      select group_id from group_variables where ${matches}
      union all
      select c.group_id from group_variable_configurations c
        join variable_configuration_values using (configuration_id) where ${matches}
      union all
      select p.group_id from group_packages p join package_variables using (package_id) where ${matches}
    )`
}

/** The dotted name of the variable that a computer's organizational unit is. */
export const ouVariable = 'DomainJoin.OuForComputerAccounts'

export const ouVariableId: RawBuilder<unknown> = sql`
  select id as variable_id from variable_definitions where lower(dotted_name) = ${ouVariable.toLowerCase()}`

/** Writes the computer's own value of the OU variable; an empty text deletes it, null and undefined keep it. */
export async function writeOwnOu(db: Database, id: number, ou: string | null | undefined): Promise<void> {
  if (ou === null || ou === undefined) return
  if (ou === '')
    await sql`delete from computer_variables where computer_id = ${id} and variable_id = (${ouVariableId})`.execute(db)
  else
    await sql`
      insert into computer_variables (computer_id, variable_id, value)
      select ${id}::integer, variable_id, ${ou} from (${ouVariableId}) as ou
      on conflict on constraint computer_variables_pkey do update set value = excluded.value, sealed_value = null
      `.execute(db)
}
