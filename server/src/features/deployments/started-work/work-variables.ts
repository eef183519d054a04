import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { preparedStatement } from '../../../database/prepared-statements.ts'
import type { ServerKeys } from '../../../platform/authentication/server-keys.ts'
import { effectiveVariables } from '../../variable-resolution/effective-variables.ts'
import { hasOneValue } from '../../variables/definitions.ts'
import {
  forEachComputer,
  isRequestedSecret,
  type RequestedValues,
  toRequestedValues,
  type ValueRequest,
  valuesOf,
} from './requested-values.ts'
import { revealValues } from './reveal-values.ts'
import { loadWorkCollections, type WorkCollections } from './work-collections.ts'

type Row = {
  owner_id: number
  dotted_name: string
  is_secret: boolean
  value: string | null
  sealed_value: Buffer | null
}

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
  const [variables] = await loadVariablesOfComputers(db, keys, [{ clientId, secretNames }])
  return variables ?? { variables: {}, collections: {}, secrets: {} }
}

/** The same for several computers, in the order of the requests. The number of statements does not depend on theirs. */
export async function loadVariablesOfComputers(
  db: Database,
  keys: ServerKeys,
  requests: readonly ValueRequest[],
): Promise<WorkVariables[]> {
  const rows = await effectiveRows(db, toRequestedValues(requests))
  const byOwner = Map.groupBy(rows, ({ owner_id }) => owner_id)
  const collections = await loadWorkCollections(db, keys, requests)
  return Promise.all(
    requests.map(async (request, at) => {
      const own = await revealValues(keys, valuesOf(byOwner.get(request.clientId), request))
      const values = (isSecret: boolean) =>
        Object.fromEntries(own.filter((row) => row.is_secret === isSecret).map((row) => [row.dotted_name, row.text]))
      const entries = collections[at]
      return {
        variables: { ...entries?.variables, ...values(false) },
        collections: entries?.collections ?? {},
        secrets: { ...entries?.secrets, ...values(true) },
      }
    }),
  )
}

const effectiveRows = preparedStatement((db, requested: RequestedValues) => {
  const variables = sql<{ variable_id: number }>`
    select definition.id as variable_id from variable_definitions as definition
    where ${hasOneValue('definition')} and (not definition.is_secret or ${isRequestedSecret('definition', requested)})`
  const effective = forEachComputer(requested, (computer) => effectiveVariables('computer', computer, variables))
  return sql<Row>`
    select effective.owner_id, definition.dotted_name, definition.is_secret, effective.value, effective.sealed_value
    from ${effective} as effective join variable_definitions definition on definition.id = effective.variable_id
    order by definition.dotted_name`.compile(db)
})
