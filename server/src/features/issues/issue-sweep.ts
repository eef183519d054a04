import type { TProperties } from '@sinclair/typebox'
import { ok, operation } from '../../platform/operation.ts'
import { type Paging, pageOf, paging } from '../../platform/paging.ts'
import { closed, pagedResultOf, type Static } from '../../platform/schema.ts'
import { type FleetFilter, fleetFilters, fleetScope } from '../computers/fleet-filter.ts'
import { matchComputerIds } from '../computers/match-computers.ts'
import { issueItem } from './api/schemas.ts'
import { affectedBy, type Issue, type Thresholds, toldAbout } from './issue.ts'
import { issueComputerRows } from './queries.ts'

type Sweep<N extends string> = {
  id: string
  route: `GET /api/computer/issues/${N}`
  /** What the OpenAPI document calls an item. */
  item: string
  summary: string
  description?: string
}

/** The operation that lists the computers with one issue. */
export function issueSweep<N extends string, T extends TProperties, S extends TProperties>(
  swept: Issue<N, T, S>,
  { item, ...described }: Sweep<N>,
) {
  const Result = pagedResultOf(issueItem(item, swept.shape))
  return operation({
    ...described,
    role: 'computer.read',
    fleetWide: true,
    query: closed({ ...paging, ...fleetFilters, ...swept.thresholds }),
    returns: ok(Result),
    async handle(call) {
      const { db } = call
      const query = call.query as unknown as Paging & FleetFilter & Thresholds<T>
      const page = await pageOf(
        { ...call, query },
        issueComputerRows(db).select(toldAbout(swept, query, true).as('told')),
        { columns: ['id'] },
        matchComputerIds(db, affectedBy(swept, query, fleetScope(query))),
      )
      const items = page.items.map(({ told, ...computer }) => ({ ...computer, ...told }))
      return { ...page, items } as unknown as Static<typeof Result>
    },
  })
}
