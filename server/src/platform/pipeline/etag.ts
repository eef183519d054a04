import { createHmac } from 'node:crypto'
import { lockTextForTransaction } from '../../database/advisory-locks.ts'
import type { Database } from '../../database/connect.ts'
import type { ServerKeys } from '../authentication/server-keys.ts'
import { preconditionFailed } from '../general-problems.ts'
import type { AnyOperation } from '../operation.ts'

/**
 * The version of the resource that the operation reads: representations that differ only in its `unversioned` properties
 * have the same ETag. The hash is keyed. Otherwise a caller who may write a resource and not read it could compute the
 * ETags of the values that it may have, and try them with `If-Match`.
 */
export function etagOf(keys: ServerKeys, { unversioned = [] }: AnyOperation, representation: string): string {
  const text = unversioned.length === 0 ? representation : JSON.stringify(omit(representation, unversioned))
  return `"${createHmac('sha256', keys.deriveKey('etag')).update(text).digest('base64url').slice(0, 22)}"`
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
 * Locks a resource against other changes until the transaction ends so that it cannot change between the check of its
 * version and the change.
 */
export async function lockResource(tx: Database, path: string): Promise<void> {
  await lockTextForTransaction(tx, path)
}

/** The current ETag helps a caller who may read the resource, and is shown to nobody else. */
export function requireMatch(ifMatch: string, etag: string, mayRead: boolean): void {
  if (!matchesEtag(ifMatch, etag)) throw preconditionFailed().withHeaders(mayRead ? { etag } : {})
}
