import { type RawBuilder, sql } from 'kysely'

/** A computer, and the names of the secret variables whose values are requested for it, as JSON. */
export type RequestedValues = string

export function toRequestedValues(clientId: number, secretNames: readonly string[]): RequestedValues {
  return JSON.stringify({ clientId, secrets: secretNames.map((name) => name.toLowerCase()) })
}

/** Selects the computer as an owner of variables. */
export function requestedComputer(requested: RequestedValues): RawBuilder<{ owner_id: number }> {
  return sql`select (${requested}::jsonb ->> 'clientId')::integer as owner_id`
}

/** Whether the secret variable, given by the alias of its definition, is requested. */
export function isRequestedSecret(definition: string, requested: RequestedValues): RawBuilder<boolean> {
  return sql<boolean>`(${requested}::jsonb -> 'secrets') ? lower(${sql.ref(`${definition}.dotted_name`)})`
}
