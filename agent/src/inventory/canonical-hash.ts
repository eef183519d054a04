import { createHash } from 'node:crypto'

/** Hashes content independently of the order of its properties. */
export function canonicalHash(content: unknown): string {
  return createHash('sha256').update(JSON.stringify(content, sortedKeys)).digest('hex')
}

function sortedKeys(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
