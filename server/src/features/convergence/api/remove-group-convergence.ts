import { sql } from 'kysely'
import { noContent, operation } from '../../../platform/operation.ts'
import { affectsGroup } from '../../groups/affected-computers.ts'
import { GroupPath } from '../../groups/api/schemas.ts'
import { groupNotFound, pinGroup } from '../../groups/groups.ts'
import { getGroupConvergence } from './get-group-convergence.ts'

export const removeGroupConvergence = operation({
  id: 'removeGroupConvergence',
  route: 'DELETE /api/group/:id/convergence',
  summary: 'Give a group the convergence setting of the groups above it',
  description: 'Cancels the waves of the group. Succeeds if the group has no setting of its own.',
  role: 'activation.execute',
  extension: true,
  massAction: affectsGroup,
  params: GroupPath,
  returns: noContent,
  problems: [groupNotFound],
  changes: getGroupConvergence,
  async handle({ params: { id }, db }) {
    await pinGroup(db, id)
    await sql`delete from group_convergence where group_id = ${id}`.execute(db)
  },
})
