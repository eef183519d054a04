import { ok, operation } from '../../../platform/operation.ts'
import { getPackageById } from '../package-rows.ts'
import { packageNotFound } from '../problems.ts'
import { Package, PackagePath } from './schemas.ts'

export const getPackage = operation({
  id: 'getPackage',
  route: 'GET /api/packages/:id',
  summary: 'Get a package',
  role: 'package.read',
  params: PackagePath,
  returns: ok(Package),
  problems: [packageNotFound],
  handle: ({ params, db, services }) => getPackageById(db, services.configuration, params.id),
})
