import { ok, operation } from '../../../../platform/operation.ts'
import { PmGroupPath } from '../../../patch-management/api/pm-groups/schemas.ts'
import { pmGroupAssignmentRows } from '../../../patch-management/pm-group-contents.ts'
import { getPmGroupRow } from '../../../patch-management/pm-groups.ts'
import { pmGroupNotFound } from '../../../patches/problems.ts'
import { countAssignedComputers, countMissingOfGroup, findEmergencyOfGroup } from '../../patches/patch-group-page.ts'
import { getStateAge } from '../../state-age.ts'
import { PatchGroupPage } from './schemas.ts'

const maxAssignments = 500

export const getPatchGroupPage = operation({
  id: 'getPatchGroupPage',
  route: 'GET /api/fleet/patch-groups/:id',
  summary: 'Get everything that the page of a patch management group shows, except its patches',
  description: 'With its assignments, the number of computers that they reach, and its emergency patching.',
  role: 'pm.read',
  extension: true,
  params: PmGroupPath,
  returns: ok(PatchGroupPage),
  problems: [pmGroupNotFound],
  async handle({ params: { id }, db }) {
    return {
      pmGroup: await getPmGroupRow(db, id),
      assignments: await pmGroupAssignmentRows(db, id)
        .orderBy('groups.path')
        .orderBy('groups.id')
        .limit(maxAssignments)
        .execute(),
      computers: await countAssignedComputers(db, id),
      missing: await countMissingOfGroup(db, id),
      emergency: await findEmergencyOfGroup(db, id),
      ...(await getStateAge(db)),
    }
  },
})
