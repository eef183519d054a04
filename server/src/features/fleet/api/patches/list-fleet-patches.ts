import { ok, operation } from '../../../../platform/operation.ts'
import { pageOf, paging } from '../../../../platform/paging.ts'
import { closed } from '../../../../platform/schema.ts'
import { fleetPatchRows, hasPatchFilter, matchingPatches, patchFilters } from '../../patches/patch-list.ts'
import { getStateAge } from '../../state-age.ts'
import { FleetPatches } from './schemas.ts'

export const listFleetPatches = operation({
  id: 'listFleetPatches',
  route: 'GET /api/fleet/patches',
  summary: 'List patches for people: search, filter, and how many computers lack them',
  description:
    'Those that most computers lack come first, then the most severe. Filters combine with AND; a parameter that is ' +
    'repeated selects any of its values. The numbers of computers are those of the last count of the fleet, which ' +
    '`calculatedAtUtc` dates.',
  role: 'pm.read',
  extension: true,
  query: closed({ ...paging, ...patchFilters }),
  returns: ok(FleetPatches),
  async handle(call) {
    const { db, query } = call
    const matching = { query: matchingPatches(db, query), once: hasPatchFilter(query) }
    const order = { columns: ['missing', 'severityRank', 'patchId'], descending: true } as const
    return { ...(await pageOf(call, fleetPatchRows(db), order, matching)), ...(await getStateAge(db)) }
  },
})
