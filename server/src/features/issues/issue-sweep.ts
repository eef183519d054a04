import type { TProperties } from '@sinclair/typebox'
import { ok, operation } from '../../platform/operation.ts'
import { type Paging, pageOf, paging } from '../../platform/paging.ts'
import { closed, pagedResultOf, type Static } from '../../platform/schema.ts'
import { matchComputerIds } from '../computers/match-computers.ts'
import { type FleetFilter, fleetFilters, fleetScope } from '../groups/fleet-filter.ts'
import { groupNotFound } from '../groups/groups.ts'
import { issueItem } from './api/schemas.ts'
import { affectedComputers, type Issue, issueFinding, type Occurrence, type Thresholds } from './issue.ts'
import { issueComputerRows } from './issue-computer-rows.ts'

type Sweep<N extends string> = {
  id: string
  route: `GET /api/computer/issues/${N}`
  /** Title of the item schema in the OpenAPI document. */
  item: string
  summary: string
  description: string
  /** True if the contract does not have the issue. */
  extension?: boolean
}

/** Builds the operation that lists the computers with one issue. */
export function issueSweep<N extends string, T extends TProperties, O extends Occurrence, P extends TProperties>(
  issue: Issue<N, T, O, P>,
  { item, ...texts }: Sweep<N>,
) {
  const Result = pagedResultOf(issueItem(item, issue.properties))
  return operation({
    ...texts,
    role: 'computer.read',
    execution: { kind: 'FleetRead' },
    query: closed({ ...paging, ...fleetFilters, ...issue.thresholds }),
    returns: ok(Result),
    problems: [groupNotFound],
    async handle(call) {
      const { db } = call
      const query = call.query as unknown as Paging & FleetFilter & Thresholds<T>
      const finding = issueFinding(issue, query, { computerId: 'computers.id', withProperties: true })
      const page = await pageOf(
        { ...call, query },
        issueComputerRows(db).select(finding.as('finding')),
        { columns: ['id'] },
        matchComputerIds(db, affectedComputers(issue, query, await fleetScope(db, query))),
      )
      const items = page.items.map(({ finding, ...computer }) => ({ ...computer, ...finding }))
      return { ...page, items } as unknown as Static<typeof Result>
    },
  })
}
