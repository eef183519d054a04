import type { Principal } from '../../platform/authentication/principals.ts'
import { forbidden } from '../../platform/general-problems.ts'
import { invalidPart } from '../../platform/validation.ts'
import { eventTypes } from './event-types.ts'

/** The types that a pattern selects: a type, or the beginning of types followed by `*`. */
function selectTypes(pattern: string) {
  if (!pattern.endsWith('*')) return eventTypes.filter(({ type }) => type === pattern)
  return eventTypes.filter(({ type }) => type.startsWith(pattern.slice(0, -1)))
}

/** Throws 400 if one of the patterns selects no type. */
export function requireTypePatterns(part: 'query' | 'body', patterns: readonly string[]): void {
  const unknown = patterns.find((pattern) => selectTypes(pattern).length === 0)
  if (unknown !== undefined) throw invalidPart(part, 'types', `names an unknown type of event: ${unknown}`)
}

/** The types that the patterns select and the roles allow. Without a pattern, all that the roles allow. */
export function listVisibleTypes(roles: Principal['roles'], patterns: readonly string[] = []): string[] {
  const selected = patterns.length === 0 ? eventTypes : patterns.flatMap(selectTypes)
  return [...new Set(selected.filter(({ role }) => roles.has(role)).map(({ type }) => type))]
}

/** Splits and checks a list of types that a caller asks for. Throws 403 if it names a type that the caller may not see. */
export function requireVisibleTypes({ roles }: Pick<Principal, 'roles'>, types: string | undefined): string[] {
  const patterns = types?.split(',').map((pattern) => pattern.trim()) ?? []
  requireTypePatterns('query', patterns)
  const hidden = eventTypes.find(({ type, role }) => patterns.includes(type) && !roles.has(role))
  if (hidden) throw forbidden({ requiredRole: hidden.role })
  return listVisibleTypes(roles, patterns)
}
