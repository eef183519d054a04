import { ok, operation } from '../../../platform/operation.ts'
import { closed } from '../../../platform/schema.ts'
import { countFacets } from '../computer-list/count-facets.ts'
import { computerFilters } from '../computer-list/filter.ts'
import { matchesSearch } from '../computer-list/search.ts'
import { findSelectedSoftware } from '../software/find-products.ts'
import { getStateAge } from '../state-age.ts'
import { ComputerFacets } from './schemas.ts'

export const getComputerFacets = operation({
  id: 'getComputerFacets',
  route: 'GET /api/fleet/computers/facets',
  summary: 'Count computers by the values that listFleetComputers can filter',
  description:
    'Takes the filters of listFleetComputers. All filters but its own apply to the counts of a property, so they are ' +
    'the numbers of computers that another choice would list. Of each property, the 100 most frequent values are listed, ' +
    'the most frequent first. Counts of the whole fleet are those of the last count, which `calculatedAtUtc` dates.',
  role: 'computer.read',
  extension: true,
  query: closed(computerFilters),
  returns: ok(ComputerFacets),
  async handle({ db, query }) {
    const isFound = await matchesSearch(db, query, await findSelectedSoftware(db, query))
    return { ...(await countFacets(db, query, isFound)), ...(await getStateAge(db)) }
  },
})
