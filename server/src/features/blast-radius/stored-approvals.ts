import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'

export type NewApproval = {
  id: string
  requesterId: number
  requesterName: string
  operation: string
  target: string
  /** Query and body for people to read, without secrets. */
  shown: object
  computerIds: readonly number[]
  subjects: readonly object[]
  firstComputers: readonly object[]
  content: readonly string[] | null
  requestHash: Buffer
  sealedRequest: Buffer
}

export type WaitingApproval = { id: string; expires_at: Date }

/** Finds the same request of the same principal, if it still waits. */
export async function findWaiting(
  db: Database,
  requesterId: number,
  requestHash: Buffer,
): Promise<WaitingApproval | undefined> {
  return db
    .selectFrom('approvals')
    .select(['id', 'expires_at'])
    .where('requester_id', '=', requesterId)
    .where('request_hash', '=', requestHash)
    .where('state', '=', 'Pending')
    .executeTakeFirst()
}

/** Requests of one principal that may wait at the same time. Nobody reads more, and a revocation denies them all. */
export const maxWaitingRequests = 100

export async function countWaitingRequests(db: Database, requesterId: number): Promise<number> {
  const { count } = await db
    .selectFrom('approvals')
    .where('requester_id', '=', requesterId)
    .where('state', '=', 'Pending')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** Stores a request, unless the same one began to wait in the meantime. Returns the one that waits. */
export async function insertApproval(db: Database, approval: NewApproval): Promise<WaitingApproval | undefined> {
  const { rows } = await sql<WaitingApproval>`
    insert into approvals (id, requester_id, requester_name, operation, target, request, computer_count, computer_ids,
      subjects, first_computers, content, request_hash, sealed_request)
    values (${approval.id}, ${approval.requesterId}, ${approval.requesterName}, ${approval.operation}, ${approval.target},
      ${JSON.stringify(approval.shown)}::jsonb, ${approval.computerIds.length}, ${approval.computerIds}::integer[],
      ${JSON.stringify(approval.subjects)}::jsonb, ${JSON.stringify(approval.firstComputers)}::jsonb,
      ${approval.content}::text[], ${approval.requestHash}, ${approval.sealedRequest})
    on conflict (requester_id, request_hash) where state = 'Pending'
    do update set requested_at = approvals.requested_at
    returning id, expires_at`.execute(db)
  return rows[0]
}

/** Ends the wait of requests that were not decided in time. Returns their number. */
export async function expireApprovals(db: Database): Promise<number> {
  const { rows } = await sql`
    update approvals set state = 'Expired', sealed_request = null, computer_ids = null
    where id in (
      select id from approvals where state = 'Pending' and expires_at <= now() order by id for update skip locked)
    returning id`.execute(db)
  return rows.length
}

/** Deletes requests thirty days after they ended. The audit trail keeps the decisions forever. */
export async function purgeOldApprovals(db: Database): Promise<void> {
  await sql`
    delete from approvals where id in (
      select id from approvals where expires_at < now() - interval '30 days' limit 20 for update skip locked)`.execute(
    db,
  )
}
