import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { preparedStatement } from '../../../database/prepared-statements.ts'
import type { ServerKeys } from '../../../platform/authentication/server-keys.ts'
import { effectiveVariables } from '../../variable-resolution/effective-variables.ts'
import { hasOneValue } from '../../variables/definitions.ts'
import { isRequestedSecret, type RequestedValues, requestedComputer, toRequestedValues } from './requested-values.ts'
import { revealValues } from './reveal-values.ts'
import { loadWorkCollections, type WorkCollections } from './work-collections.ts'

type Row = { dotted_name: string; is_secret: boolean; value: string | null; sealed_value: Buffer | null }

export type WorkVariables = {
  variables: Record<string, string>
  collections: WorkCollections
  secrets: Record<string, string>
}

/**
 * Reads the effective variables and collections of the computer: all values that are not secret, and the secret ones in
 * `secretNames`.
 */
export async function loadWorkVariables(
  db: Database,
  keys: ServerKeys,
  clientId: number,
  secretNames: readonly string[],
): Promise<WorkVariables> {
  const rows = await revealValues(keys, await effectiveRows(db, toRequestedValues(clientId, secretNames)))
  const values = (isSecret: boolean) =>
    Object.fromEntries(rows.filter((row) => row.is_secret === isSecret).map((row) => [row.dotted_name, row.text]))
  const entries = await loadWorkCollections(db, keys, toRequestedValues(clientId, secretNames))
  return {
    variables: { ...entries.variables, ...values(false) },
    collections: entries.collections,
    secrets: { ...entries.secrets, ...values(true) },
  }
}

const effectiveRows = preparedStatement((db, requested: RequestedValues) => {
  const effective = effectiveVariables(
    'computer',
    requestedComputer(requested),
    sql`
      select definition.id as variable_id from variable_definitions as definition
      where ${hasOneValue('definition')} and (not definition.is_secret or ${isRequestedSecret('definition', requested)})`,
  )
  return sql<Row>`
    select definition.dotted_name, definition.is_secret, effective.value, effective.sealed_value
    from (${effective}) as effective join variable_definitions definition on definition.id = effective.variable_id
    order by definition.dotted_name`.compile(db)
})
