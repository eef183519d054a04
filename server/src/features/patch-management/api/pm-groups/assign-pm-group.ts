import { sql } from 'kysely'
import { Answer, created, ok, operation } from '../../../../platform/operation.ts'
import { computersBelow } from '../../../groups/affected-computers.ts'
import { notEditableTree } from '../../../groups/api/problems.ts'
import { groupNotFound, isComputerTree, isSpecial, pinGroup, specialGroup } from '../../../groups/groups.ts'
import { pmGroupNotFound } from '../../../patches/problems.ts'
import { pmGroupAssignmentRows } from '../../pm-group-contents.ts'
import { lockPmGroup } from '../../pm-groups.ts'
import { cancelUnneededFixWork, listComputersWithWaitingFix, selectComputers } from '../../remediate.ts'
import { listPmGroupAssignments } from './list-pm-group-assignments.ts'
import { emergencyGroup } from './problems.ts'
import { AssignPmGroupRequest, PmGroupAssignment, PmGroupPath } from './schemas.ts'

export const assignPmGroup = operation({
  id: 'assignPmGroup',
  route: 'POST /api/pmgroup/:id/assignments',
  summary: 'Assign a patch management group to a group of computers',
  description:
    'The assignment applies to the computers of the group and of all groups below it. Answers 201 for a new assignment. ' +
    'Answers 200 if the group was assigned before, and then sets `isTestAssignment` as requested. An assignment that is no ' +
    'longer a test cancels fix work for patches that are not approved, unless an agent has started it. A group that was ' +
    'created for emergency patching answers 409.',
  role: 'pm.write',
  massAction: { computers: ({ body }) => computersBelow(sql`select ${body.treeId}::uuid as group_id`) },
  params: PmGroupPath,
  body: AssignPmGroupRequest,
  returns: { ...created(PmGroupAssignment), ...ok(PmGroupAssignment) },
  problems: [pmGroupNotFound, groupNotFound, notEditableTree, specialGroup, emergencyGroup],
  shows: listPmGroupAssignments,
  async handle({ params: { id: pmGroupId }, body: { treeId, isTestAssignment: is_test = false }, db }) {
    await lockPmGroup(db, pmGroupId)
    const group = await pinGroup(db, treeId)
    if (!isComputerTree(group.tree)) throw notEditableTree({ groupId: treeId })
    if (isSpecial(group.kind)) throw specialGroup({ groupId: treeId })
    const assignment = () =>
      pmGroupAssignmentRows(db, pmGroupId).where('groups.id', '=', treeId).executeTakeFirstOrThrow()
    const added = await db
      .insertInto('pm_group_assignments')
      .values({ pm_group_id: pmGroupId, group_id: treeId, is_test })
      .onConflict((conflict) => conflict.doNothing())
      .returning('group_id')
      .executeTakeFirst()
    if (added) return new Answer(201, await assignment())
    if ((await assignment()).isEmergency) throw emergencyGroup({ groupId: treeId })
    const waiting = await listComputersWithWaitingFix(db, pmGroupId)
    await db
      .updateTable('pm_group_assignments')
      .set({ is_test })
      .where('pm_group_id', '=', pmGroupId)
      .where('group_id', '=', treeId)
      .where('is_test', '<>', is_test)
      .execute()
    await cancelUnneededFixWork(db, selectComputers(waiting))
    return new Answer(200, await assignment())
  },
})
