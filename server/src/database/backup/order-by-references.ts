import { type ForeignKey, isSameName } from './catalog.ts'
import type { QualifiedName } from './format.ts'

/** Sorts referenced tables before those that refer to them. A cycle is broken at its first table by name. */
export function orderByReferences<T extends QualifiedName>(tables: readonly T[], keys: readonly ForeignKey[]): T[] {
  const remaining = [...tables]
  const ordered: T[] = []
  const hasRemainingParent = (table: T) =>
    keys.some(
      ({ child, parent }) =>
        isSameName(child, table) && !isSameName(parent, table) && remaining.some((other) => isSameName(other, parent)),
    )
  while (remaining.length > 0) {
    const free = remaining.findIndex((table) => !hasRemainingParent(table))
    ordered.push(...remaining.splice(Math.max(free, 0), 1))
  }
  return ordered
}

/** The foreign keys that refer to a table later in this order, and are violated until that table is filled. */
export function forwardReferencesOf(tables: readonly QualifiedName[], keys: readonly ForeignKey[]): ForeignKey[] {
  const indexOf = (name: QualifiedName) => tables.findIndex((table) => isSameName(table, name))
  return keys.filter(({ child, parent }) => indexOf(child) >= 0 && indexOf(parent) > indexOf(child))
}
