import { type RawBuilder, sql } from 'kysely'
import { ok, operation } from '../../../platform/operation.ts'
import { pageOf, paging } from '../../../platform/paging.ts'
import { closed, Int32, pagedResultOf, type Static, Type, text } from '../../../platform/schema.ts'
import { invalidPart } from '../../../platform/validation.ts'
import { fleetFilters, fleetScope } from '../../computers/fleet-filter.ts'
import { matchComputerIds } from '../../computers/match-computers.ts'
import { batteryWear } from '../battery-wear.ts'
import { affectedBy, type Issue, type Told, toldAbout } from '../issue.ts'
import { type IssueName, issueNames, issues } from '../issues.ts'
import { lowDisk } from '../low-disk.ts'
import { issueComputerRows } from '../queries.ts'
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
    description: 'Only computers that contacted the server within so many days; 0 for all, however long ago or never',
  }),
  issues: Type.Optional(text(255, 'low-disk,failed-deployment', `Names separated by commas: ${issueNames.join(', ')}`)),
  ...lowDisk.thresholds,
  ...batteryWear.thresholds,
  ...staleAgent.thresholds,
  minHoursPending,
  maxDaysPending,
})

export const listIssueOverview = operation({
  id: 'listIssueOverview',
  route: 'GET /api/computer/issues/overview',
  summary: 'List computers with at least one issue, and what each of them has',
  description: 'The same thresholds find the same computers as the sweep over the one issue.',
  role: 'computer.read',
  fleetWide: true,
  query: Query,
  returns: ok(pagedResultOf(IssueOverviewItem)),
  async handle(call) {
    const { query, db } = call
    const asked: readonly Issue[] = askedIssues(query.issues)
    const told = asked.map((one) => toldAbout(one, query, false))
    const page = await pageOf(
      call,
      issueComputerRows(db).select(sql<(Told | null)[]>`jsonb_build_array(${sql.join(told)})`.as('told')),
      { columns: ['id'] },
      matchComputerIds(db, anyOf(asked, query)),
    )
    const items = page.items.map(({ told: hits, ...computer }) => ({ ...computer, issues: hits.filter(isHit) }))
    return { ...page, items } as Static<ReturnType<typeof pagedResultOf<typeof IssueOverviewItem>>>
  },
})

const isHit = (hit: Told | null) => hit !== null

function askedIssues(names: string | undefined) {
  if (!names) return issues
  const asked = new Set(names.split(',').map((name) => name.trim().toLowerCase()))
  const unknown = [...asked].find((name) => !issueNames.includes(name as IssueName))
  if (unknown !== undefined)
    throw invalidPart('query', 'issues', `must be names of ${issueNames.join(', ')}, separated by commas`)
  return issues.filter(({ name }) => asked.has(name))
}

/** Filters that leave few computers are applied first; that of the last contact leaves most, and is applied at the end. */
function anyOf(asked: readonly Issue[], query: Static<typeof Query>): RawBuilder<{ computer_id: number }> {
  const { lastSeenDays = 30, lastSeenWithinDays = Number.POSITIVE_INFINITY, ...others } = query
  const days = Math.min(lastSeenDays || Number.POSITIVE_INFINITY, lastSeenWithinDays)
  const scope = fleetScope(others)
  const recent = Number.isFinite(days) && fleetScope({ lastSeenWithinDays: days })
  const affected = asked.map((one) => affectedBy(one, query, scope && sql`select computer_id from scope`))
  return sql<{ computer_id: number }>`
    ${scope ? sql`with scope as materialized (${scope})` : sql``}
    select computer_id from (${sql.join(affected, sql` union `)}) as any_of
    ${recent ? sql`where computer_id in (${recent})` : sql``}`
}
