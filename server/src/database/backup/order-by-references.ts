import { type ForeignKey, isSame } from './catalog.ts'
import type { QualifiedName } from './format.ts'

/** Parents first. Where tables refer to each other in a circle, the first by name goes first. */
export function orderByReferences<T extends QualifiedName>(tables: readonly T[], keys: readonly ForeignKey[]): T[] {
  const waiting = [...tables]
  const ordered: T[] = []
  const waits = (table: T) =>
    keys.some(
      ({ child, parent }) =>
        isSame(child, table) && !isSame(parent, table) && waiting.some((other) => isSame(other, parent)),
    )
  while (waiting.length > 0) {
    const free = waiting.findIndex((table) => !waits(table))
    ordered.push(...waiting.splice(Math.max(free, 0), 1))
  }
  return ordered
}

/** The references that are broken for a while when the tables are filled in this order. */
export function referencesAhead(tables: readonly QualifiedName[], keys: readonly ForeignKey[]): ForeignKey[] {
  const place = (name: QualifiedName) => tables.findIndex((table) => isSame(table, name))
  return keys.filter(({ child, parent }) => place(child) >= 0 && place(parent) > place(child))
}
