import { caselessKey } from '@muster/text'
import { invalidPart } from '../../../platform/validation.ts'
import type { DesiredGroup, DesiredState } from '../api/desired-state/document-schemas.ts'
import type { StateObject, StateReference } from './state-section.ts'

const indexes = new WeakMap<DesiredState, Map<string, DesiredGroup>>()

/** The group of a document that is being written. */
export function groupEntry(document: DesiredState, path: string): DesiredGroup {
  const index = indexes.get(document) ?? new Map<string, DesiredGroup>()
  indexes.set(document, index)
  const known = index.get(path)
  if (known) return known
  const entry: DesiredGroup = { path }
  index.set(path, entry)
  document.groups ??= []
  document.groups.push(entry)
  return entry
}

export const groupReference = (path: string): StateReference => ({
  section: 'groups',
  key: path.toLowerCase(),
  name: `The group ${path}`,
})

export const packageReference = (label: string): StateReference => ({
  section: 'packages',
  key: label.toLowerCase(),
  name: `The package ${label}`,
})

/** The key of something that belongs to a group. */
export const ofGroup = (path: string, name: string): string => caselessKey(path, name)

/** Throws if two objects have the same key. */
export function requireDifferent(property: string, objects: StateObject[]): StateObject[] {
  const seen = new Set<string>()
  for (const { key, name } of objects) {
    if (seen.has(key)) throw invalidPart('body', `state.${property}`, `contains '${name}' twice`)
    seen.add(key)
  }
  return objects
}
