import type { Caller } from '../../../platform/authentication/caller.ts'
import type { AnyOperation } from '../../../platform/operation.ts'
import type { StatePlan } from '../api/desired-state/schemas.ts'
import type { ComputedPlan, PlannedChange } from './state-plan.ts'
import type { FieldChange } from './state-section.ts'

/** The plan as the API shows it. */
export function describePlan(
  { changes }: ComputedPlan,
  { principal }: Caller,
  operations: readonly AnyOperation[],
): StatePlan {
  const count = (action: PlannedChange['action']) => changes.filter((change) => change.action === action).length
  return {
    added: count('add'),
    changed: count('change'),
    removed: count('remove'),
    changes: changes.map(describeChange),
    secrets: listSecrets(changes),
    missingRoles: listNeededRoles(changes, operations).filter((role) => !principal.roles.has(role)),
  }
}

function describeChange(change: PlannedChange) {
  const { section, action, object, operations, computers, members, blockers, fingerprint } = change
  return {
    section,
    name: object.name,
    action,
    fields: listShownFields(change).map(({ field, before, after }) => ({
      field,
      before: show(before),
      after: show(after),
    })),
    operations,
    computers,
    members,
    blockers,
    fingerprint,
  }
}

/** The fields that change or, if the object is added or removed, those that say more than its name. */
function listShownFields({ action, object, fields }: PlannedChange): FieldChange[] {
  if (action === 'change') return fields
  const isShown = (value: unknown) =>
    value !== object.name &&
    ![null, false, 0, '', '[]'].includes(Array.isArray(value) ? JSON.stringify(value) : (value as string))
  return Object.entries(object.fields)
    .filter(([, value]) => isShown(value))
    .map(([field, value]) => ({
      field,
      ...(action === 'add' ? { before: null, after: value } : { before: value, after: null }),
    }))
}

/** A value as people read it. Lists of texts have no quotes: entries of collections are JSON already. */
function show(value: unknown): string | null {
  if (value === null || value === undefined) return null
  if (typeof value === 'string') return value
  const isList = Array.isArray(value) && value.every((one) => typeof one === 'string')
  return isList ? value.join(', ') || null : JSON.stringify(value)
}

/** References of the secrets that the changes write. */
export function listSecrets(changes: readonly PlannedChange[]): string[] {
  return [...new Set(changes.flatMap(({ after }) => after?.secrets ?? []))].sort()
}

/** The roles of the operations that make the changes. */
export function listNeededRoles(
  changes: readonly PlannedChange[],
  operations: readonly AnyOperation[],
): AnyOperation['role'][] {
  const needed = new Set(changes.flatMap((change) => change.operations))
  return [...new Set(operations.filter(({ id }) => needed.has(id)).map(({ role }) => role))].sort()
}
