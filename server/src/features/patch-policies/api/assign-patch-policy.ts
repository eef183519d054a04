import { sql } from 'kysely'
import { forbidden } from '../../../platform/general-problems.ts'
import { Answer, created, ok, operation } from '../../../platform/operation.ts'
import { computersBelow } from '../../groups/affected-computers.ts'
import { notEditableTree } from '../../groups/api/problems.ts'
import { groupNotFound, isComputerTree, isSpecial, pinGroup, specialGroup } from '../../groups/groups.ts'
import { cancelUnneededFixWork } from '../../patch-management/remediate.ts'
import { requestAllDownloadsInUse } from '../../patches/files/request-downloads.ts'
import { policyAssignmentRows } from '../assignments.ts'
import { lockPolicy, ownersBelow } from '../policies.ts'
import { requireRestartRoleFor } from '../restarts.ts'
import { withdrawRestarts } from '../withdraw-restarts.ts'
import { listPatchPolicyAssignments } from './list-patch-policy-assignments.ts'
import { patchPolicyNotFound } from './problems.ts'
import { AssignPatchPolicyRequest, PatchPolicyAssignment, PatchPolicyPath } from './schemas.ts'

export const assignPatchPolicy = operation({
  id: 'assignPatchPolicy',
  route: 'POST /api/patch-policies/:id/assignments',
  summary: 'Assign a patch policy to a group of computers',
  description:
    'The policy applies to the computers of the group and of all groups below it. What it releases is installed after the next ' +
    'patch scan. Where it does not release what another policy released, fix work is cancelled that nothing else requires. Answers ' +
    '201 for a new assignment, and 200 if the group was assigned before. A policy that restarts computers also needs the role reboot.execute.',
  role: 'pm.approve',
  massAction: { computers: ({ body }) => computersBelow(sql`select ${body.groupId}::uuid as group_id`) },
  params: PatchPolicyPath,
  body: AssignPatchPolicyRequest,
  returns: { ...created(PatchPolicyAssignment), ...ok(PatchPolicyAssignment) },
  problems: [forbidden, patchPolicyNotFound, groupNotFound, notEditableTree, specialGroup],
  shows: listPatchPolicyAssignments,
  extension: true,
  async handle({ params: { id }, body: { groupId }, db, services, caller }) {
    await lockPolicy(db, id)
    await requireRestartRoleFor(db, id, caller)
    const group = await pinGroup(db, groupId)
    if (!isComputerTree(group.tree)) throw notEditableTree({ groupId })
    if (isSpecial(group.kind)) throw specialGroup({ groupId })
    const added = await db
      .insertInto('patch_policy_assignments')
      .values({ policy_id: id, group_id: groupId })
      .onConflict((conflict) => conflict.doNothing())
      .returning('group_id')
      .executeTakeFirst()
    if (added) {
      await withdrawRestarts(db)
      await cancelUnneededFixWork(db, ownersBelow(sql`select ${groupId}::uuid as group_id`))
      await requestAllDownloadsInUse(db, services.configuration)
    }
    const assignment = await policyAssignmentRows(db, id).where('groups.id', '=', groupId).executeTakeFirstOrThrow()
    return new Answer(added ? 201 : 200, assignment)
  },
})
