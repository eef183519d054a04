import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import type { SelectedSoftware } from '../software/find-products.ts'
import { type ComputerFilter, matchesBeyondFacets, matchesFacets } from './filter.ts'
import { matchesSearch } from './search.ts'
import { type ComputerSort, sortedComputers } from './sort.ts'

/** Selects the id and the sort key of the computers that meet the filter. */
export async function selectedComputers(
  db: Database,
  filter: ComputerFilter,
  sort: ComputerSort,
  software: SelectedSoftware,
): Promise<RawBuilder<{ id: number; sortKey: string | number | Date }>> {
  const isFound = await matchesSearch(db, filter, software)
  return sortedComputers(sort, sql<boolean>`${matchesFacets(filter)} and ${matchesBeyondFacets(filter)} and ${isFound}`)
}
