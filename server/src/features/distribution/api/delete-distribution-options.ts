import { noContent, operation } from '../../../platform/operation.ts'
import { affectsGroup } from '../../groups/affected-computers.ts'
import { GroupPath } from '../../groups/api/schemas.ts'
import { groupNotFound, pinGroup } from '../../groups/groups.ts'
import { noOwnOptions } from './problems.ts'
import { OptionsQuery } from './schemas.ts'

export const deleteDistributionOptions = operation({
  id: 'deleteDistributionOptions',
  route: 'DELETE /api/group/:id/distribution-options',
  summary: 'Delete the distribution options of a group, or of a package in it',
  description:
    'Afterwards, the options that the group inherits apply. Computers follow at their next activation. Answers 404 if the ' +
    'group has no such options of its own.',
  role: 'group.write',
  extension: true,
  massAction: affectsGroup,
  params: GroupPath,
  query: OptionsQuery,
  returns: noContent,
  problems: [groupNotFound, noOwnOptions],
  async handle({ params: { id: groupId }, query: { packageId = null }, db }) {
    await pinGroup(db, groupId)
    const { numDeletedRows } = await db
      .deleteFrom('distribution_options')
      .where('group_id', '=', groupId)
      .where('package_id', packageId === null ? 'is' : '=', packageId)
      .executeTakeFirst()
    if (numDeletedRows === 0n) throw noOwnOptions({ groupId, packageId })
  },
})
