import { createHash } from 'node:crypto'
import { lockTextForTransaction } from '../../database/advisory-locks.ts'
import type { Database } from '../../database/connect.ts'
import { preconditionFailed } from '../general-problems.ts'

/** The version of a resource: representations that differ only in `unversioned` properties have the same ETag. */
export function etagOf(representation: string, unversioned: readonly string[] = []): string {
  const text = unversioned.length === 0 ? representation : JSON.stringify(omit(representation, unversioned))
  return `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`
}

function omit(representation: string, properties: readonly string[]): object {
  const entries = Object.entries(JSON.parse(representation) as object)
  return Object.fromEntries(entries.filter(([name]) => !properties.includes(name)))
}

/** Whether a header such as If-Match lists the ETag or is `*`. */
export function matchesEtag(header: string, etag: string): boolean {
  return header.split(',').some((tag) => ['*', etag].includes(tag.trim().replace(/^W\//, '')))
}

/**
 * Locks a resource against other changes until the transaction ends, so that it cannot change between the check of its
 * version and the change.
 */
export async function lockResource(tx: Database, path: string): Promise<void> {
  await lockTextForTransaction(tx, path)
}

export function requireMatch(ifMatch: string, etag: string): void {
  if (!matchesEtag(ifMatch, etag)) throw preconditionFailed().withHeaders({ etag })
}
