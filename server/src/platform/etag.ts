import { createHash } from 'node:crypto'
import { lockTextForTransaction } from '../database/advisory-locks.ts'
import type { Database } from '../database/connect.ts'
import { preconditionFailed } from './general-problems.ts'

/** The version of a representation: equal texts, apart from the properties to leave out, have equal tags. */
export function etagOf(representation: string, unversioned: readonly string[] = []): string {
  const text = unversioned.length === 0 ? representation : JSON.stringify(without(representation, unversioned))
  return `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`
}

function without(representation: string, properties: readonly string[]): object {
  const entries = Object.entries(JSON.parse(representation) as object)
  return Object.fromEntries(entries.filter(([name]) => !properties.includes(name)))
}

export function matches(header: string, etag: string): boolean {
  return header.split(',').some((tag) => ['*', etag].includes(tag.trim().replace(/^W\//, '')))
}

/**
 * Makes all changes of one resource wait for each other until the transaction ends, so that nothing can come between
 * the look at its version and the change.
 */
export async function lockResource(db: Database, path: string): Promise<void> {
  await lockTextForTransaction(db, path)
}

export function requireMatch(ifMatch: string, etag: string): void {
  if (!matches(ifMatch, etag)) throw preconditionFailed().withHeaders({ etag })
}
