import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import { preconditionFailed } from './general-problems.ts'

/** The version of a representation: equal texts have equal tags. */
export function etagOf(representation: string): string {
  return `"${createHash('sha256').update(representation).digest('base64url').slice(0, 22)}"`
}

export function matches(header: string, etag: string): boolean {
  return header.split(',').some((tag) => ['*', etag].includes(tag.trim().replace(/^W\//, '')))
}

/**
 * Makes all changes of one resource wait for each other until the transaction ends, so that nothing can come between
 * the look at its version and the change.
 */
export async function lockResource(db: Database, path: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${path}, 0))`.execute(db)
}

export function requireMatch(ifMatch: string, representation: string): void {
  const etag = etagOf(representation)
  if (!matches(ifMatch, etag)) throw preconditionFailed().withHeaders({ etag })
}
