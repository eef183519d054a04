import { type RawBuilder, sql } from 'kysely'

/** A computer, and the names of the secret variables whose values are requested for it. */
export type ValueRequest = { clientId: number; secretNames: readonly string[] }

/** Computers, and the names of all secret variables that are requested for any of them, as JSON. */
export type RequestedValues = string

export function toRequestedValues(requests: readonly ValueRequest[]): RequestedValues {
  const secrets = new Set(requests.flatMap(({ secretNames }) => secretNames.map((name) => name.toLowerCase())))
  return JSON.stringify({ computers: requests.map(({ clientId }) => clientId), secrets: [...secrets] })
}

/**
 * Selects values of the computers, given the query for one of them, which gets its `owner_id`. It runs for each computer
 * by itself: that takes as long as for all together, and the planner cannot expect more of them than there are.
 */
export function forEachComputer<Row>(
  requested: RequestedValues,
  ofComputer: (computer: RawBuilder<{ owner_id: number }>) => RawBuilder<Row>,
): RawBuilder<Row> {
  return sql`
    jsonb_array_elements_text(${requested}::jsonb -> 'computers') as asked(computer_id)
    cross join lateral (${ofComputer(sql`select asked.computer_id::integer as owner_id`)})`
}

/** Whether the secret variable, given by the alias of its definition, is requested. */
export function isRequestedSecret(definition: string, requested: RequestedValues): RawBuilder<boolean> {
  return sql<boolean>`(${requested}::jsonb -> 'secrets') ? lower(${sql.ref(`${definition}.dotted_name`)})`
}

type OwnedValue = { owner_id: number; is_secret: boolean | null; dotted_name: string | null }

/** The values of one computer, without secrets that are requested only for another one. */
export function valuesOf<R extends OwnedValue>(rows: readonly R[] | undefined, { secretNames }: ValueRequest): R[] {
  const names = new Set(secretNames.map((name) => name.toLowerCase()))
  return (rows ?? []).filter(({ is_secret, dotted_name }) => !is_secret || names.has(dotted_name?.toLowerCase() ?? ''))
}
