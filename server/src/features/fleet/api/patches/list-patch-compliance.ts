import { ok, operation } from '../../../../platform/operation.ts'
import { pageOf, paging } from '../../../../platform/paging.ts'
import { closed, Type, text } from '../../../../platform/schema.ts'
import { matchingGroups, memberCountRows, withCompliance } from '../../patches/group-compliance.ts'
import { getStateAge } from '../../state-age.ts'
import { PatchComplianceOfGroups } from './schemas.ts'

export const listPatchCompliance = operation({
  id: 'listPatchCompliance',
  route: 'GET /api/fleet/patch-compliance',
  summary: 'List the patch compliance of groups, each with the groups below it',
  description:
    'By path; groups without computers are left out. As of the last count of the fleet, which `calculatedAtUtc` dates. A computer ' +
    'is compliant if its last patch scan found no missing security patch. `missing` counts each computer once, by its most severe ' +
    'missing patch of any type.',
  role: 'pm.read',
  execution: { kind: 'FleetRead' },
  extension: true,
  query: closed({
    ...paging,
    search: Type.Optional(text(255, 'Berlin', 'Text in the path of the group, regardless of case')),
  }),
  returns: ok(PatchComplianceOfGroups),
  async handle(call) {
    const { db, query } = call
    const matching = { query: matchingGroups(db, query.search), once: Boolean(query.search?.trim()) }
    const page = await pageOf(call, memberCountRows(db), { columns: ['path', 'groupId'] }, matching)
    return { ...page, items: await withCompliance(db, page.items), ...(await getStateAge(db)) }
  },
})
