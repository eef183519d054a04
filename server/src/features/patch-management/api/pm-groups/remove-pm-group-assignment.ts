import { sql } from 'kysely'
import { noContent, operation } from '../../../../platform/operation.ts'
import { closed, Id, Uuid } from '../../../../platform/schema.ts'
import { computersBelow } from '../../../groups/affected-computers.ts'
import { pmGroupNotFound } from '../../../patches/problems.ts'
import { lockPmGroup } from '../../pm-groups.ts'
import { cancelUnneededFixWork, listComputersWithWaitingFix, selectComputers } from '../../remediate.ts'
import { emergencyGroup, pmGroupNotAssigned } from './problems.ts'

export const removePmGroupAssignment = operation({
  id: 'removePmGroupAssignment',
  route: 'DELETE /api/pmgroup/:id/assignments/:treeId',
  summary: 'Remove the assignment of a patch management group',
  description:
    'Cancels fix work that no other assignment requires, unless an agent has started it. Installed patches stay ' +
    'installed. The assignment of an emergency cannot be removed (409): stop the emergency patching instead.',
  role: 'pm.write',
  massAction: { computers: ({ params }) => computersBelow(sql`select ${params.treeId}::uuid as group_id`) },
  params: closed({ id: Id, treeId: Uuid }),
  returns: noContent,
  problems: [pmGroupNotFound, pmGroupNotAssigned, emergencyGroup],
  async handle({ params: { id: pmGroupId, treeId }, db }) {
    await lockPmGroup(db, pmGroupId)
    const waiting = await listComputersWithWaitingFix(db, pmGroupId)
    const removed = await db
      .deleteFrom('pm_group_assignments')
      .where('pm_group_id', '=', pmGroupId)
      .where('group_id', '=', treeId)
      .returning('is_emergency')
      .executeTakeFirst()
    if (!removed) throw pmGroupNotAssigned({ pmGroupId, treeId })
    if (removed.is_emergency) throw emergencyGroup({ groupId: treeId })
    await cancelUnneededFixWork(db, selectComputers(waiting))
  },
})
