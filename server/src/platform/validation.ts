import { findFault } from '@muster/schema'
import { invalidRequest } from './general-problems.ts'
import type { TSchema } from './schema.ts'

export type RequestPart = 'path' | 'query' | 'header' | 'body'

/** Validates a part of the request and converts it in place, for example points in time to Dates. */
export function validate(part: RequestPart, schema: TSchema, value: unknown): void {
  const fault = findFault(schema, value, part === 'body' ? 'json' : 'parameters')
  if (fault) throw invalidPart(part, fault.name, fault.reason)
  if (part !== 'body') requireFiniteNumbers(part, value as Record<string, unknown>)
}

/** Converting a text such as `1e400` yields infinity, to which Ajv applies no limits. JSON bodies cannot contain it. */
function requireFiniteNumbers(part: RequestPart, values: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(values))
    if ([value].flat().some((item) => typeof item === 'number' && !Number.isFinite(item)))
      throw invalidPart(part, name, 'is out of range')
}

const maxNameLength = 200

/** The 400 that names the property or parameter and what is wrong with it. The name comes from the client: any length. */
export function invalidPart(part: RequestPart, fullName: string, reason: string) {
  const name = fullName.length > maxNameLength ? `${fullName.slice(0, maxNameLength).toWellFormed()}…` : fullName
  const where = part === 'body' ? 'body' : `${part} parameter`
  return invalidRequest({
    detail: name ? `${where} '${name}' ${reason}` : `${where} ${reason}`,
    errors: [{ in: part, name, reason }],
  })
}
