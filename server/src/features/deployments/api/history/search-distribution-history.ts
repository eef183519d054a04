import { sql } from 'kysely'
import type { Database } from '../../../../database/connect.ts'
import { containing, literal } from '../../../../platform/like-pattern.ts'
import { ok, operation } from '../../../../platform/operation.ts'
import { pageOf, paging } from '../../../../platform/paging.ts'
import { closed, pagedResultOf, type Static } from '../../../../platform/schema.ts'
import { distributionEventRows } from '../../history-rows.ts'
import { ComputerDistributionEvent, DistributionHistorySearchFilter } from './schemas.ts'

export const searchDistributionHistory = operation({
  id: 'searchDistributionHistory',
  route: 'POST /api/computer/distribution-history/search',
  summary: 'Search the distribution events of all computers, newest first',
  role: 'computer.read',
  execution: { kind: 'Read' },
  query: closed(paging),
  body: DistributionHistorySearchFilter,
  returns: ok(pagedResultOf(ComputerDistributionEvent)),
  handle(call) {
    const { db, body } = call
    const hasCriteria = Object.values(body).some((value) => value !== null && value !== '')
    return pageOf(
      call,
      distributionEventRows(db),
      { columns: ['id'], descending: true },
      { query: matchingEvents(db, body), once: hasCriteria },
    )
  },
})

function matchingEvents(db: Database, filter: Static<typeof DistributionHistorySearchFilter>) {
  const { packageName, version, after, before, result, installMode, info } = filter
  let events = db.selectFrom('distribution_events').select('distribution_events.id')
  if (packageName || version)
    events = events.where('package_id', 'in', ({ selectFrom }) => {
      let packages = selectFrom('packages').select('packages.id')
      if (packageName) packages = packages.where('name', 'ilike', containing(packageName))
      if (version) packages = packages.where('version', 'ilike', `${literal(version)}%`)
      return packages
    })
  if (after) events = events.where('logged_at', '>=', after)
  // Responses round times down to milliseconds: include events that were logged within the given millisecond.
  if (before) events = events.where('logged_at', '<', sql<Date>`${before}::timestamptz + interval '1 millisecond'`)
  if (result) events = events.where('result', 'ilike', containing(result))
  if (installMode) events = events.where('install_mode', 'ilike', containing(installMode))
  if (info) events = events.where('info', 'ilike', containing(info))
  return events
}
