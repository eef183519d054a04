import { noContent, operation } from '../../../../platform/operation.ts'
import { pmGroupNotFound } from '../../../patches/problems.ts'
import { affectsPmGroup } from '../../affected-computers.ts'
import { stopEmergency } from '../../emergencies.ts'
import { lockPmGroup } from '../../pm-groups.ts'
import { cancelUnneededFixWork, listComputersWithWaitingFix, selectComputers } from '../../remediate.ts'
import { getPmGroup } from './get-pm-group.ts'
import { PmGroupPath } from './schemas.ts'

export const deletePmGroup = operation({
  id: 'deletePmGroup',
  route: 'DELETE /api/pmgroup/:id',
  summary: 'Delete a patch management group',
  description:
    'Also deletes its assignments and ends its emergency patching. The patches stay in the catalog and keep their ' +
    'approvals. Cancels fix work that no other patch management group requires, unless an agent has started it.',
  role: 'pm.write',
  massAction: {
    ...affectsPmGroup,
    async lock(db, { params }) {
      await lockPmGroup(db, params.id)
    },
  },
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
