import { ok, operation } from '../../../platform/operation.ts'
import { getPatchRow } from '../patch-rows.ts'
import { patchNotFound } from '../problems.ts'
import { Patch, PatchPath } from './schemas.ts'

export const getPatch = operation({
  id: 'getPatch',
  route: 'GET /api/patches/:patchId',
  summary: 'Get a patch of the catalog',
  role: 'pm.read',
  params: PatchPath,
  returns: ok(Patch),
  problems: [patchNotFound],
  handle: ({ params, db }) => getPatchRow(db, params.patchId),
})
