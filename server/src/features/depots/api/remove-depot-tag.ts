import { noContent, operation } from '../../../platform/operation.ts'
import { closed, Id } from '../../../platform/schema.ts'
import { computerNotFound } from '../../computers/computers.ts'
import { notADepot, pinDepotRole } from '../depot-servers.ts'
import { tagNotAssigned } from './problems.ts'

export const removeDepotTag = operation({
  id: 'removeDepotTag',
  route: 'DELETE /api/depots/:clientId/tags/:tagId',
  summary: 'Remove a tag from a depot',
  description:
    'While the depot topology setting is active, the depot deletes packages that it no longer needs at its next ' +
    'synchronisation.',
  role: 'package.write',
  params: closed({ clientId: Id, tagId: Id }),
  returns: noContent,
  problems: [computerNotFound, notADepot, tagNotAssigned],
  async handle({ params, db }) {
    await pinDepotRole(db, params.clientId)
    const removed = await db
      .deleteFrom('depot_tags')
      .where('computer_id', '=', params.clientId)
      .where('tag_id', '=', params.tagId)
      .returning('tag_id')
      .executeTakeFirst()
    if (!removed) throw tagNotAssigned(params)
  },
})
