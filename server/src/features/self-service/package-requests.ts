import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'

export const packageRequestStates = ['Pending', 'Approved', 'Declined'] as const

export type RequestState = (typeof packageRequestStates)[number]

/** Package requests in the shape of the API. */
export function packageRequestRows(db: Database) {
  return db
    .selectFrom('package_requests as request')
    .innerJoin('computers', 'computers.id', 'request.computer_id')
    .leftJoin('packages', 'packages.id', 'request.package_id')
    .select([
      'request.id as requestId',
      'request.computer_id as computerId',
      'computers.name as hostname',
      'request.wish',
      'request.reason',
      'request.user_name as userName',
      'request.requested_at as requestedAtUtc',
      sql<RequestState>`request.state`.as('state'),
      'request.package_id as packageId',
      'packages.name as packageName',
      'packages.version as packageVersion',
      'request.decided_at as decidedAtUtc',
      'request.decided_by as decidedBy',
      'request.answer',
    ])
}

/** Locks a request that waits for a decision; undefined if it does not wait, or does not exist. */
export async function lockPendingRequest(db: Database, id: string) {
  return db
    .selectFrom('package_requests')
    .select(['id', 'computer_id'])
    .where('id', '=', id)
    .where('state', '=', 'Pending')
    .forUpdate()
    .executeTakeFirst()
}

export type PackageRequestDecision = {
  state: Exclude<RequestState, 'Pending'>
  decidedBy: string
  answer: string
  packageId: string | null
}

export async function recordRequestDecision(
  db: Database,
  id: string,
  { state, decidedBy, answer, packageId }: PackageRequestDecision,
): Promise<void> {
  await db
    .updateTable('package_requests')
    .set({ state, decided_at: sql`now()`, decided_by: decidedBy, answer, package_id: packageId })
    .where('id', '=', id)
    .execute()
}
