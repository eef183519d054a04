import { noContent, operation } from '../../../platform/operation.ts'
import { getView } from './get-view.ts'
import { foreignView, viewNotFound } from './problems.ts'
import { requireChangeableView } from './require-view.ts'
import { ViewPath } from './schemas.ts'

export const deleteView = operation({
  id: 'deleteView',
  route: 'DELETE /api/views/:id',
  summary: 'Delete a saved view',
  description: 'Its owner deletes it, and administrators (admin.manage) those that are shared.',
  role: 'computer.read',
  extension: true,
  params: ViewPath,
  returns: noContent,
  problems: [viewNotFound, foreignView],
  changes: getView,
  async handle({ params, db, caller: { principal } }) {
    await requireChangeableView(db, principal, params.id)
    await db.deleteFrom('saved_views').where('id', '=', params.id).execute()
  },
})
