import { sql } from 'kysely'
import { noContent, operation } from '../../../platform/operation.ts'
import { closed, Id, Uuid } from '../../../platform/schema.ts'
import { computersBelow } from '../../groups/affected-computers.ts'
import { cancelUnneededFixWork } from '../../patch-management/remediate.ts'
import { lockPolicy, ownersBelow } from '../policies.ts'
import { withdrawRestarts } from '../withdraw-restarts.ts'
import { patchPolicyNotAssigned, patchPolicyNotFound } from './problems.ts'

export const removePatchPolicyAssignment = operation({
  id: 'removePatchPolicyAssignment',
  route: 'DELETE /api/patch-policies/:id/assignments/:groupId',
  summary: 'Remove the assignment of a patch policy',
  description:
    'Cancels fix work that nothing else requires, and restarts that the policy has requested, unless an agent has started it. Installed patches stay installed.',
  role: 'pm.approve',
  massAction: { computers: ({ params }) => computersBelow(sql`select ${params.groupId}::uuid as group_id`) },
  params: closed({ id: Id, groupId: Uuid }),
  returns: noContent,
  problems: [patchPolicyNotFound, patchPolicyNotAssigned],
  extension: true,
  async handle({ params: { id, groupId }, db }) {
    await lockPolicy(db, id)
    const removed = await db
      .deleteFrom('patch_policy_assignments')
      .where('policy_id', '=', id)
      .where('group_id', '=', groupId)
      .returning('group_id')
      .executeTakeFirst()
    if (!removed) throw patchPolicyNotAssigned({ policyId: id, groupId })
    await withdrawRestarts(db)
    await cancelUnneededFixWork(db, ownersBelow(sql`select ${groupId}::uuid as group_id`))
  },
})
