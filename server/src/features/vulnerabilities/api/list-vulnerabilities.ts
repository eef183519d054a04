import { sql } from 'kysely'
import { ok, operation } from '../../../platform/operation.ts'
import { pageOf, paging } from '../../../platform/paging.ts'
import { closed, pagedResultOf, Type } from '../../../platform/schema.ts'
import {
  allOf,
  hasState,
  rankColumns,
  rankSelections,
  ratingConditions,
  vulnerabilityRows,
} from '../vulnerability-rows.ts'
import { ratingFilters } from './rating-filters.ts'
import { FleetVulnerability, VulnerabilityState } from './schemas.ts'

export const listVulnerabilities = operation({
  id: 'listVulnerabilities',
  route: 'GET /api/vulnerabilities',
  summary: 'List the vulnerabilities of installed software',
  description:
    'Those that are known to be exploited come first, then the most severe and those that are most probably exploited. ' +
    'Without `state`, it lists those that at least one computer has. Filters combine with AND. The numbers of computers are those of ' +
    'the last count, at most some minutes old.',
  role: 'pm.read',
  query: closed({
    ...paging,
    ...ratingFilters,
    state: Type.Optional({ ...VulnerabilityState, description: 'Only vulnerabilities in this state' }),
    hasFix: Type.Optional(Type.Boolean({ examples: [true], description: 'Whether a fixed version is known' })),
  }),
  returns: ok(pagedResultOf(FleetVulnerability)),
  extension: true,
  handle(call) {
    const { db, query } = call
    const { state, hasFix } = query
    const matching = db
      .selectFrom('vulnerabilities as v')
      .select(rankSelections)
      .where(
        allOf([
          hasState(state),
          ...ratingConditions(query),
          ...(hasFix === undefined ? [] : [sql<boolean>`v.has_fix = ${hasFix}::boolean`]),
        ]),
      )
    return pageOf(
      call,
      vulnerabilityRows(db),
      { columns: rankColumns, descending: true },
      { query: matching, once: true },
    )
  },
})
