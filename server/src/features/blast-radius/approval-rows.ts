import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import type { Principal } from '../../platform/authentication/principals.ts'
import type { Role } from '../../platform/roles.ts'
import { type RequestSubject, requestSubjectKinds } from './request-subjects.ts'
import type { PendingApproval } from './run-approved.ts'

export const approvalStates = ['Pending', 'Expired', 'Executed', 'Failed', 'Denied'] as const

const state: RawBuilder<(typeof approvalStates)[number]> = sql`
  case when approvals.state = 'Pending' and expires_at <= now() then 'Expired' else approvals.state end`

/** The names of what a request is about, and of the first of its computers, as they were and as they are. */
type Named = { name: string; currentName: string | null }
type NamedSubject = Named & Pick<RequestSubject, 'kind' | 'id'>
type NamedComputer = Named & { computerId: number }

/** The role that lets a principal read the names of its own requests. Administrators see all. */
const namingRoles: Record<RequestSubject['kind'], Role> = {
  Group: 'group.read',
  Computer: 'computer.read',
  Package: 'package.read',
}

function visibleKinds({ roles }: Principal): RequestSubject['kind'][] {
  return requestSubjectKinds.filter((kind) => roles.has('admin.manage') || roles.has(namingRoles[kind]))
}

const currentName = (kind: RawBuilder<string>, id: RawBuilder<string>): RawBuilder<string | null> => sql`
  case ${kind}
    when 'Group' then (select path from groups where groups.id = (${id})::uuid)
    when 'Computer' then (select name from computers where computers.id = (${id})::integer)
    when 'Package' then (
      select concat_ws(' ', name, nullif(version, '')) from packages where packages.id = (${id})::uuid) end`

const subjects = (principal: Principal): RawBuilder<NamedSubject[]> => sql`(
  select coalesce(jsonb_agg(subject || jsonb_build_object('currentName',
    ${currentName(sql`subject ->> 'kind'`, sql`subject ->> 'id'`)}) order by place), '[]')
  from jsonb_array_elements(subjects) with ordinality as listed (subject, place)
  where subject ->> 'kind' = any(${visibleKinds(principal)}::text[]))`

const firstComputers = (principal: Principal): RawBuilder<NamedComputer[]> => sql`(
  select coalesce(jsonb_agg(computer || jsonb_build_object('currentName',
    ${currentName(sql`'Computer'`, sql`computer ->> 'computerId'`)}) order by place), '[]')
  from jsonb_array_elements(first_computers) with ordinality as listed (computer, place)
  where ${visibleKinds(principal).includes('Computer')}::boolean)`

const maxShownLines = 100

/** What the computers get, as far as people read it. */
const content = (principal: Principal): RawBuilder<string[]> => sql`
  case when ${visibleKinds(principal).includes('Package')}::boolean
    then coalesce(content[1:${sql.lit(maxShownLines)}], '{}') else '{}' end`

/** What the path of the request identifies, in words. Null for other paths, and once it is deleted. */
const targetName = (principal: Principal): RawBuilder<string | null> => sql`(
  select ${currentName(sql`subject ->> 'kind'`, sql`subject ->> 'id'`)}
  from jsonb_array_elements(subjects) as listed (subject)
  where lower(target) || '/' like '/api/' || lower(subject ->> 'kind') || '/' || (subject ->> 'id') || '/%'
    and subject ->> 'kind' = any(${visibleKinds(principal)}::text[]))`

/** The approvals that the principal may see, in the shape of the API: all for an administrator, otherwise its own. */
export function approvalRows(db: Database, principal: Principal) {
  return db
    .selectFrom('approvals')
    .select([
      'approvals.id as approvalId',
      state.as('state'),
      'requester_id as requesterId',
      'requester_name as requesterName',
      'operation',
      'target',
      targetName(principal).as('targetName'),
      subjects(principal).as('subjects'),
      'request',
      'computer_count as computerCount',
      firstComputers(principal).as('firstComputers'),
      content(principal).as('content'),
      'requested_at as requestedAtUtc',
      'expires_at as expiresAtUtc',
      'decided_at as decidedAtUtc',
      'decided_by as decidedBy',
      'answer_status as answerStatus',
      'problem_code as problemCode',
    ])
    .$if(!principal.roles.has('admin.manage'), (rows) => rows.where('requester_id', '=', principal.id))
}

/** Locks an approval that still waits for its decision. Undefined if it was decided, has expired or does not exist. */
export async function lockPendingApproval(db: Database, id: string): Promise<PendingApproval | undefined> {
  const { rows } = await sql<PendingApproval>`
    select id, requester_id, operation, computer_ids, content, sealed_request from approvals
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

/** Records the decision and deletes the stored request with its computers. The caller has locked the approval. */
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
      computer_ids: null,
    })
    .where('id', '=', id)
    .execute()
}
