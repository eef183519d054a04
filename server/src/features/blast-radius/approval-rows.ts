import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import type { Principal } from '../../platform/authentication/active-principals.ts'
import type { PendingApproval } from '../../platform/pipeline/run-approved.ts'

export const approvalStates = ['Pending', 'Expired', 'Executed', 'Failed', 'Denied'] as const

const state: RawBuilder<(typeof approvalStates)[number]> = sql`
  case when approvals.state = 'Pending' and expires_at <= now() then 'Expired' else approvals.state end`

/** What the path of the request identifies, in words. Null for other paths, and once it is deleted. */
const targetName: RawBuilder<string | null> = sql`coalesce(
  (select path from groups where groups.id = substring(target from '^/api/group/([[:xdigit:]-]{36})')::uuid),
  (select name from computers where computers.id = substring(target from '^/api/computer/([0-9]+)')::integer))`

/** The approvals that the principal may see, in the shape of the API: all for an administrator, otherwise its own. */
export function approvalRows(db: Database, { id, roles }: Principal) {
  return db
    .selectFrom('approvals')
    .select([
      'approvals.id as approvalId',
      state.as('state'),
      'requester_id as requesterId',
      'requester_name as requesterName',
      'operation',
      'target',
      targetName.as('targetName'),
      'request',
      'computer_count as computerCount',
      'requested_at as requestedAtUtc',
      'expires_at as expiresAtUtc',
      'decided_at as decidedAtUtc',
      'decided_by as decidedBy',
      'answer_status as answerStatus',
      'problem_code as problemCode',
    ])
    .$if(!roles.has('admin.manage'), (rows) => rows.where('requester_id', '=', id))
}

/** Locks an approval that still waits for its decision. Undefined if it was decided, has expired or does not exist. */
export async function lockPendingApproval(db: Database, id: string): Promise<PendingApproval | undefined> {
  const { rows } = await sql<PendingApproval>`
    select id, requester_id, operation, computer_count, sealed_request from approvals
    where id = ${id} and state = 'Pending' and expires_at > now()
    for update`.execute(db)
  return rows[0]
}

export type Decision = {
  state: 'Executed' | 'Failed' | 'Denied'
  decidedBy: string
  answerStatus: number | null
  problemCode: string | null
}

/** Records the decision and deletes the stored request. The caller has locked the approval. */
export async function recordDecision(db: Database, id: string, decision: Decision): Promise<void> {
  await db
    .updateTable('approvals')
    .set({
      state: decision.state,
      decided_by: decision.decidedBy,
      decided_at: sql`now()`,
      answer_status: decision.answerStatus,
      problem_code: decision.problemCode,
      sealed_request: null,
    })
    .where('id', '=', id)
    .execute()
}
