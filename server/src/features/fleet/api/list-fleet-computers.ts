import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { ok, operation } from '../../../platform/operation.ts'
import { pageOf, paging } from '../../../platform/paging.ts'
import { closed } from '../../../platform/schema.ts'
import { listExpectedContacts } from '../../agents/expected-contacts.ts'
import { computerFilters, hasExpensiveFilter } from '../computer-list/filter.ts'
import { fleetComputerRows } from '../computer-list/rows.ts'
import { selectedComputers } from '../computer-list/selected-computers.ts'
import { sortParameters } from '../computer-list/sort.ts'
import { findSelectedSoftware } from '../software/find-products.ts'
import { withSoftware } from '../software/software-of-computers.ts'
import { getStateAge } from '../state-age.ts'
import { FleetComputers } from './schemas.ts'

export const listFleetComputers = operation({
  id: 'listFleetComputers',
  route: 'GET /api/fleet/computers',
  summary: 'List computers for people: search, filter and sort by what is shown',
  description:
    'Filters combine with AND; a parameter that is repeated selects any of its values. Agent status, health, issues, ' +
    '`lastContact`, `nextContact`, `connection`, `patchAge` and `missingSeverity` are those of the last count of the fleet, which `calculatedAtUtc` dates; ' +
    'everything else is current. ' +
    'The `Link` header has the cursor of the next page: computers whose sorted property does not change meanwhile are listed ' +
    'exactly once.',
  role: 'computer.read',
  extension: true,
  query: closed({ ...paging, ...sortParameters, ...computerFilters }),
  returns: ok(FleetComputers),
  async handle(call) {
    const { db, query } = call
    const software = await findSelectedSoftware(db, query)
    const selected = await selectedComputers(db, query, query, software)
    const matching = db
      .selectFrom(sql<{ id: number; sortKey: unknown }>`(${selected})`.as('selected'))
      .select(['selected.id', 'selected.sortKey'])
    const page = await pageOf(
      call,
      fleetComputerRows(db, query),
      { columns: ['sortKey', 'id'], descending: query.descending },
      { query: matching, once: hasExpensiveFilter(query) },
    )
    const items = await withSoftware(db, await withNextContacts(db, page.items), software)
    return { ...page, items, ...(await getStateAge(db)) }
  },
})

type Listed = { id: number; connectedNow: boolean; lastSeenUtc: Date | null }

/** One statement for the page, and none if all of its computers are connected: these come when they are called. */
async function withNextContacts<Row extends Listed>(db: Database, rows: readonly Row[]) {
  const waiting = rows.filter(({ connectedNow, lastSeenUtc }) => !connectedNow && lastSeenUtc !== null)
  const contacts = await listExpectedContacts(
    db,
    waiting.map(({ id }) => id),
  )
  return rows.map((row) => ({ ...row, nextContactUtc: contacts.get(row.id)?.at ?? null }))
}
