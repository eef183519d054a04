import { ok, operation } from '../../../../platform/operation.ts'
import { pageOf, paging } from '../../../../platform/paging.ts'
import { closed, pagedResultOf } from '../../../../platform/schema.ts'
import { PmGroupPath } from '../../../patch-management/api/pm-groups/schemas.ts'
import { requirePmGroup } from '../../../patch-management/pm-groups.ts'
import { pmGroupNotFound } from '../../../patches/problems.ts'
import { candidateRows, matchingCandidates } from '../../patches/patch-group-page.ts'
import { EmergencyCandidate } from './schemas.ts'

export const listEmergencyCandidates = operation({
  id: 'listEmergencyCandidates',
  route: 'GET /api/fleet/patch-groups/:id/computers',
  summary: 'List the computers that lack patches of a patch management group',
  description:
    'Computers to which the group is assigned; those that lack the most of its patches come first. These are the ' +
    'computers that emergency patching is for.',
  role: 'pm.read',
  execution: { kind: 'FleetRead' },
  extension: true,
  params: PmGroupPath,
  query: closed(paging),
  returns: ok(pagedResultOf(EmergencyCandidate)),
  problems: [pmGroupNotFound],
  async handle(call) {
    const { db, params } = call
    await requirePmGroup(db, params.id)
    const matching = { query: matchingCandidates(db, params.id), once: true }
    const order = { columns: ['missingPatches', 'clientId'], descending: true } as const
    return pageOf(call, candidateRows(db, params.id), order, matching)
  },
})
