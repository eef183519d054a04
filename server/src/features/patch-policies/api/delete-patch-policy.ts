import { sql } from 'kysely'
import { noContent, operation } from '../../../platform/operation.ts'
import { cancelUnneededFixWork } from '../../patch-management/remediate.ts'
import { lockRulings } from '../../patches/policies/rulings.ts'
import { affectsPolicy, groupsOfPolicy, lockPolicy, ownersBelow } from '../policies.ts'
import { withdrawRestarts } from '../withdraw-restarts.ts'
import { getPatchPolicy } from './get-patch-policy.ts'
import { patchPolicyNotFound } from './problems.ts'
import { PatchPolicyPath } from './schemas.ts'

export const deletePatchPolicy = operation({
  id: 'deletePatchPolicy',
  route: 'DELETE /api/patch-policies/:id',
  summary: 'Delete a patch policy',
  description:
    'Also deletes its assignments. Cancels fix work that nothing else requires, and restarts that the policy has requested, unless an agent has started it. Installed patches ' +
    'stay installed.',
  role: 'pm.approve',
  execution: { kind: 'LongChange' },
  massAction: {
    ...affectsPolicy,
    async lock(db, { params }) {
      await lockRulings(db)
      await lockPolicy(db, params.id)
    },
  },
  params: PatchPolicyPath,
  returns: noContent,
  problems: [patchPolicyNotFound],
  changes: getPatchPolicy,
  extension: true,
  async handle({ params: { id }, db }) {
    await lockRulings(db)
    await lockPolicy(db, id)
    const { rows } = await groupsOfPolicy(id).execute(db)
    await db.deleteFrom('patch_policies').where('id', '=', id).execute()
    const groupIds = rows.map(({ group_id }) => group_id)
    await withdrawRestarts(db)
    await cancelUnneededFixWork(db, ownersBelow(sql`select unnest(${groupIds}::uuid[]) as group_id`))
  },
})
