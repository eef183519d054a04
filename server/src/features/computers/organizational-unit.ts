import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { containing } from '../../platform/like-pattern.ts'
import { effectiveVariables } from '../variable-resolution/effective-variables.ts'

/** The dotted name of the variable that stores the organizational unit (OU) of a computer. */
export const ouVariableName = 'DomainJoin.OuForComputerAccounts'

export const ouVariableId: RawBuilder<{ variable_id: number }> = sql`
  select id as variable_id from variable_definitions where lower(dotted_name) = ${ouVariableName.toLowerCase()}`

/** Sets the computer's own value of the OU variable, without a schedule: it takes effect at once. An empty text deletes it; null and undefined keep it. */
export async function setOwnOu(db: Database, id: number, ou: string | null | undefined): Promise<void> {
  if (ou === null || ou === undefined) return
  if (ou === '')
    await sql`delete from computer_variables where computer_id = ${id} and variable_id = (${ouVariableId})`.execute(db)
  else
    await sql`
      insert into computer_variables (computer_id, variable_id, value)
      select ${id}::integer, variable_id, ${ou} from (${ouVariableId}) as ou_variable
      on conflict on constraint computer_variables_pkey do update
        set value = excluded.value, sealed_value = null, schedule = null
      `.execute(db)
}

/**
 * Selects the ids of the computers whose effective OU contains the text. The statement looks for stored values that
 * contain the text and resolves only the computers that could inherit one of them. A rare text therefore costs as much
 * as its candidates, not as much as the fleet.
 */
export async function computerIdsWithOu(db: Database, text: string): Promise<RawBuilder<number>> {
  const pattern = containing(text)
  const { rows } = await sql`
    select from variable_definitions
    where id = (${ouVariableId}) and default_value ilike ${pattern}`.execute(db)
  // The default applies to every computer without another value. When it matches, every computer is a candidate.
  const candidates =
    rows.length > 0 ? sql<{ owner_id: number }>`select id as owner_id from computers` : computersNearOuValue(pattern)
  const effective = effectiveVariables('computer', candidates, ouVariableId)
  return sql<number>`(select owner_id from (${effective}) as ou where ou.value ilike ${pattern})`
}

/** The computers that have a matching value themselves or are below a group that has one or is assigned one. */
function computersNearOuValue(pattern: string): RawBuilder<{ owner_id: number }> {
  const matches = sql<boolean>`variable_id = (${ouVariableId}) and value ilike ${pattern}`
  return sql`
    select computer_id as owner_id from computer_variables where ${matches}
    union
    select member.computer_id
    from group_ancestors below join group_computers member on member.group_id = below.descendant_id
    where below.ancestor_id in (
      select group_id from group_variables where ${matches}
      union all
      select assignment.group_id from group_variable_configurations assignment
        join variable_configuration_values using (configuration_id) where ${matches}
      union all
      select assignment.group_id from assigned_packages assignment
        join package_variables using (package_id) where ${matches}
    )`
}
