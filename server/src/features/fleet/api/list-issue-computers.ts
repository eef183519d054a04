import { type RawBuilder, sql } from 'kysely'
import { ok, operation } from '../../../platform/operation.ts'
import { pageOf, paging } from '../../../platform/paging.ts'
import { closed, pagedResultOf, Type } from '../../../platform/schema.ts'
import { matchComputerIds } from '../../computers/match-computers.ts'
import { CauseId } from '../../deployments/api/retry/schemas.ts'
import { currentFailures } from '../../deployments/failures/current-failures.ts'
import { type Issue, issueFinding } from '../../issues/issue.ts'
import { causedOccurrences, requireIssue } from '../../issues/issue-causes.ts'
import { IssueCauseId, IssueComputer, IssuePath } from './issue-schemas.ts'

export const listIssueComputers = operation({
  id: 'listIssueComputers',
  route: 'GET /api/fleet/issues/:issue/computers',
  summary: 'List the computers with an issue, or those that have it for one cause',
  description:
    'Ordered by id. `causeId` selects a cause of getIssuePage, `failureId` a failure of it. By the default thresholds of the ' +
    'sweep of the issue.',
  role: 'computer.read',
  execution: { kind: 'FleetRead' },
  extension: true,
  params: IssuePath,
  query: closed({
    ...paging,
    causeId: Type.Optional(IssueCauseId),
    failureId: Type.Optional({ ...CauseId, description: 'Only computers on which a package fails for this cause' }),
  }),
  returns: ok(pagedResultOf(IssueComputer)),
  async handle(call) {
    const { params, query, db } = call
    const issue = requireIssue(params.issue)
    const finding = issueFinding(issue, {}, { computerId: 'computers.id', withProperties: false })
    return pageOf(
      call,
      db
        .selectFrom('computers')
        .leftJoin('computer_contacts', 'computer_contacts.computer_id', 'computers.id')
        .select([
          'computers.id',
          'computers.name as hostname',
          'computers.domain',
          'computer_contacts.last_seen_at as lastSeenUtc',
          // A computer that has just lost the issue has no finding any more.
          sql<string>`coalesce(${finding} ->> 'detail', '')`.as('detail'),
        ]),
      { columns: ['id'] },
      matchComputerIds(db, computersOf(issue, query)),
    )
  },
})

function computersOf(
  issue: Issue,
  { causeId, failureId }: { causeId?: string; failureId?: string },
): RawBuilder<{ computer_id: number }> {
  const conditions = [
    ...(causeId === undefined ? [] : [sql`occurrence.cause_id = ${causeId}`]),
    ...(failureId === undefined
      ? []
      : [
          sql`occurrence.computer_id in (
            select failure.computer_id from (${currentFailures()}) as failure where failure.cause_id = ${failureId})`,
        ]),
  ]
  return sql<{ computer_id: number }>`
    select distinct occurrence.computer_id from (${causedOccurrences(issue)}) as occurrence
    where ${sql.join([sql`true`, ...conditions], sql` and `)}`
}
