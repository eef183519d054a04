import { ok, operation } from '../../../../platform/operation.ts'
import { pageOf, paging } from '../../../../platform/paging.ts'
import { closed } from '../../../../platform/schema.ts'
import { complianceFilters } from '../../patches/compliance-filters.ts'
import { groupComplianceRows, matchingGroups } from '../../patches/group-compliance.ts'
import { getStateAge } from '../../state-age.ts'
import { PatchComplianceOfGroups } from './schemas.ts'

export const listPatchCompliance = operation({
  id: 'listPatchCompliance',
  route: 'GET /api/fleet/patch-compliance',
  summary: 'List the patch compliance of groups, each with the groups below it',
  description:
    'By path; groups without computers are left out. As of the last count of the fleet, which `calculatedAtUtc` dates. A computer ' +
    'is compliant if its last patch scan found no missing security patch, and within the SLA if it lacks no patch for longer than ' +
    'setPatchSla allows for its severity. Computers without a patch scan count as neither. `missing` counts each computer once, by ' +
    'its most severe missing patch of any type.',
  role: 'pm.read',
  extension: true,
  query: closed({ ...paging, ...complianceFilters }),
  returns: ok(PatchComplianceOfGroups),
  async handle(call) {
    const { db, query } = call
    const matching = { query: matchingGroups(db, query), once: Boolean(query.search?.trim()) }
    const page = await pageOf(call, groupComplianceRows(db, query), { columns: ['path', 'groupId'] }, matching)
    return { ...page, ...(await getStateAge(db)) }
  },
})
