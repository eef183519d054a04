import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { ok, operation } from '../../../platform/operation.ts'
import { pageOf, paging } from '../../../platform/paging.ts'
import { closed, Int32, pagedResultOf, type Static, Type, text } from '../../../platform/schema.ts'
import { invalidPart } from '../../../platform/validation.ts'
import { matchComputerIds } from '../../computers/match-computers.ts'
import { fleetFilters, fleetScope } from '../../groups/fleet-filter.ts'
import { groupNotFound } from '../../groups/groups.ts'
import { batteryWear } from '../battery-wear.ts'
import { affectedComputers, type Issue, type IssueFinding, issueFinding } from '../issue.ts'
import { issueComputerRows } from '../issue-computer-rows.ts'
import { type IssueName, issueNames, issues } from '../issues.ts'
import { lowDisk } from '../low-disk.ts'
import { staleAgent } from '../stale-agent.ts'
import { staleDeployment } from '../stale-deployment.ts'
import { IssueOverviewItem } from './schemas.ts'

const { minHoursPending, maxDaysPending } = staleDeployment.thresholds

const Query = closed({
  ...paging,
  ...fleetFilters,
  lastSeenDays: Type.Optional({
    ...Int32,
    minimum: 0,
    default: 30,
    examples: [30],
    description:
      'Only computers that contacted the server within this many days. 0 includes all computers, even those that never did.',
  }),
  issues: Type.Optional(
    text(
      255,
      'low-disk,failed-deployment',
      `Names of issues, separated by commas. All issues by default. The names are: ${issueNames.join(', ')}`,
    ),
  ),
  ...lowDisk.thresholds,
  ...batteryWear.thresholds,
  ...staleAgent.thresholds,
  minHoursPending,
  maxDaysPending,
})

export const listIssueOverview = operation({
  id: 'listIssueOverview',
  route: 'GET /api/computer/issues/overview',
  summary: 'List the computers with at least one issue',
  description:
    'Each item names the issues of the computer, with the number of occurrences and a short text. With the same ' +
    'thresholds, the overview and the sweep of an issue find the same computers. The overview leaves out computers ' +
    'without a contact in the last 30 days unless `lastSeenDays` sets another limit; the sweeps do not.',
  role: 'computer.read',
  execution: { kind: 'FleetRead' },
  query: Query,
  returns: ok(pagedResultOf(IssueOverviewItem)),
  problems: [groupNotFound],
  async handle(call) {
    const { query, db } = call
    const selected: readonly Issue[] = selectIssues(query.issues)
    const findings = selected.map((issue) =>
      issueFinding(issue, query, { computerId: 'computers.id', withProperties: false }),
    )
    const page = await pageOf(
      call,
      issueComputerRows(db).select(
        sql<(IssueFinding | null)[]>`jsonb_build_array(${sql.join(findings)})`.as('findings'),
      ),
      { columns: ['id'] },
      matchComputerIds(db, await computersWithAnyOf(db, selected, query)),
    )
    const items = page.items.map(({ findings, ...computer }) => ({
      ...computer,
      issues: findings.filter((finding) => finding !== null),
    }))
    return { ...page, items } as Static<ReturnType<typeof pagedResultOf<typeof IssueOverviewItem>>>
  },
})

function selectIssues(names: string | undefined) {
  if (!names) return issues
  const selected = new Set(names.split(',').map((name) => name.trim().toLowerCase()))
  const unknown = [...selected].find((name) => !issueNames.includes(name as IssueName))
  if (unknown !== undefined)
    throw invalidPart(
      'query',
      'issues',
      `must be a list of issue names separated by commas; the names are ${issueNames.join(', ')}`,
    )
  return issues.filter(({ name }) => selected.has(name))
}

/**
 * Selective filters apply before the issues. The filter by last contact applies after them, because most computers
 * pass it.
 */
async function computersWithAnyOf(
  db: Database,
  selected: readonly Issue[],
  query: Static<typeof Query>,
): Promise<RawBuilder<{ computer_id: number }>> {
  const { lastSeenDays = 30, lastSeenWithinDays = Number.POSITIVE_INFINITY, ...others } = query
  const days = Math.min(lastSeenDays || Number.POSITIVE_INFINITY, lastSeenWithinDays)
  const scope = await fleetScope(db, others)
  const recent = Number.isFinite(days) && (await fleetScope(db, { lastSeenWithinDays: days }))
  const inScope = scope && sql<{ computer_id: number }>`select computer_id from scope`
  const affected = selected.map((issue) => affectedComputers(issue, query, inScope))
  return sql<{ computer_id: number }>`
    ${scope ? sql`with scope as materialized (${scope})` : sql``}
    select computer_id from (${sql.join(affected, sql` union `)}) as affected
    ${recent ? sql`where computer_id in (${recent})` : sql``}`
}
