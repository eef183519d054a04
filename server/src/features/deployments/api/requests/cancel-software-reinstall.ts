import { sql } from 'kysely'
import { ok, operation } from '../../../../platform/operation.ts'
import { closed, Uuid } from '../../../../platform/schema.ts'
import { ComputerPath } from '../../../computers/api/schemas.ts'
import { computerNotFound, lockComputer } from '../../../computers/computers.ts'
import { lockGroupTreesShared } from '../../../groups/groups.ts'
import { reinstallGroupRows } from '../../reinstall-groups.ts'
import { reinstallGroupNotFound } from './problems.ts'
import { CancelledReinstallGroup } from './schemas.ts'

export const cancelSoftwareReinstall = operation({
  id: 'cancelSoftwareReinstall',
  route: 'DELETE /api/computer/:id/software-reinstall',
  summary: 'Cancel a pending reinstall or scan of a computer',
  description:
    'Deletes the reinstall group and cancels its work. An agent that has begun is not interrupted: its result is recorded, ' +
    'and the request stays cancelled.',
  role: 'reinstall.execute',
  params: ComputerPath,
  query: closed({ reinstallGroupId: { ...Uuid, description: 'The group that was created for the reinstall' } }),
  returns: ok(CancelledReinstallGroup),
  problems: [computerNotFound, reinstallGroupNotFound],
  async handle({ params, query: { reinstallGroupId }, db }) {
    await lockGroupTreesShared(db)
    await lockComputer(db, params.id)
    // Work and its deployment are locked before the reinstall group, in the order of reports, which end them.
    await db.selectFrom('work').select('id').where('reinstall_group_id', '=', reinstallGroupId).forUpdate().execute()
    await sql`
      select from deployments join reinstall_groups using (computer_id, package_id)
      where reinstall_groups.group_id = ${reinstallGroupId} for update of deployments`.execute(db)
    const pending = await reinstallGroupRows(db)
      .where('reinstall_groups.group_id', '=', reinstallGroupId)
      .where('reinstall_groups.computer_id', '=', params.id)
      .executeTakeFirst()
    if (!pending) throw reinstallGroupNotFound({ clientId: params.id, reinstallGroupId })
    // A trigger cancels the work and deletes the group.
    await db.deleteFrom('reinstall_groups').where('group_id', '=', reinstallGroupId).execute()
    const { parentGroupId, parentGroupName } = pending
    return { reinstallGroupId, parentGroupId, parentGroupName }
  },
})
