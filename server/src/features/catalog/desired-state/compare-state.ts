import { isDeepStrictEqual } from 'node:util'
import { compositeKey } from '@muster/text'
import type { CurrentState, FieldChange, StateChange, StateObject, StateSection } from './state-section.ts'

/** The changes that turn the current objects of a section into those of the document. */
export function compareObjects(
  section: StateSection,
  current: ReadonlyMap<string, StateObject>,
  target: readonly StateObject[],
  prune: boolean,
): StateChange[] {
  const targetKeys = new Set(target.map(({ key }) => key))
  const written = target.flatMap((after): StateChange[] => {
    const before = current.get(after.key)
    const fields = before ? changedFields(before.fields, after.fields) : []
    if (before && fields.length === 0) return []
    return [{ section: section.name, action: before ? 'change' : 'add', object: after, before, after, fields }]
  })
  const missing = prune
    ? [...current.values()].filter((object) => !targetKeys.has(object.key) && !section.isKept?.(object))
    : []
  return [
    ...written.sort((a, b) => compareTexts(a.object.key, b.object.key)),
    // Children come after their parents in the order of keys, and are removed before them.
    ...missing
      .sort((a, b) => compareTexts(b.key, a.key))
      .map(
        (before): StateChange => ({
          section: section.name,
          action: 'remove',
          object: before,
          before,
          after: undefined,
          fields: [],
        }),
      ),
  ]
}

function changedFields(before: Record<string, unknown>, after: Record<string, unknown>): FieldChange[] {
  return Object.entries(after).flatMap(([field, value]) =>
    isDeepStrictEqual(before[field], value) ? [] : [{ field, before: before[field], after: value }],
  )
}

export const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** What the object of a change refers to and will not exist when the change is made, as sentences. */
export function listMissingReferences(change: StateChange, known: ReadonlySet<string>): string[] {
  return (change.after?.needs ?? []).flatMap(({ section, key, name }) =>
    known.has(compositeKey(section, key)) ? [] : [`${name} does not exist`],
  )
}

/** The keys of all objects that exist after the changes. */
export function listKnownObjects(current: CurrentState, changes: readonly StateChange[]): Set<string> {
  const existing = [...current].flatMap(([section, objects]) =>
    [...objects.keys()].map((key) => compositeKey(section, key)),
  )
  const known = new Set(existing)
  for (const { section, action, object } of changes)
    if (action === 'remove') known.delete(compositeKey(section, object.key))
    else known.add(compositeKey(section, object.key))
  return known
}
