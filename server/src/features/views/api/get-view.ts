import { ok, operation } from '../../../platform/operation.ts'
import { viewNotFound } from './problems.ts'
import { requireView } from './require-view.ts'
import { View, ViewPath } from './schemas.ts'

export const getView = operation({
  id: 'getView',
  route: 'GET /api/views/:id',
  summary: 'Get a saved view',
  role: 'computer.read',
  extension: true,
  params: ViewPath,
  returns: ok(View),
  problems: [viewNotFound],
  handle: ({ params, db, caller }) => requireView(db, caller.principal, params.id),
})
