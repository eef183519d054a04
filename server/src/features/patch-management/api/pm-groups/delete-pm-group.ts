import { noContent, operation } from '../../../../platform/operation.ts'
import { pmGroupNotFound } from '../../../patches/problems.ts'
import { stopEmergency } from '../../emergencies.ts'
import { lockPmGroup } from '../../pm-groups.ts'
import { cancelUnneededFixWork, listComputersWithWaitingFix, selectComputers } from '../../remediate.ts'
import { getPmGroup } from './get-pm-group.ts'
import { PmGroupPath } from './schemas.ts'

export const deletePmGroup = operation({
  id: 'deletePmGroup',
  route: 'DELETE /api/pmgroup/:id',
  summary: 'Delete a patch management group, with its assignments and its emergency patching',
  description: 'The patches stay in the catalog. Fixes that only this group asked for, and that wait, are cancelled.',
  role: 'pm.write',
  params: PmGroupPath,
  returns: noContent,
  problems: [pmGroupNotFound],
  changes: getPmGroup,
  async handle({ params: { id }, db }) {
    await lockPmGroup(db, id)
    await stopEmergency(db, id)
    const waiting = await listComputersWithWaitingFix(db, id)
    await db.deleteFrom('pm_groups').where('id', '=', id).execute()
    await cancelUnneededFixWork(db, selectComputers(waiting))
  },
})
