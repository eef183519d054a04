import { ok, operation } from '../../../platform/operation.ts'
import { licenceNotFound } from './problems.ts'
import { requireLicence } from './require-licence.ts'
import { Licence, LicencePath } from './schemas.ts'

export const getLicence = operation({
  id: 'getLicence',
  route: 'GET /api/licences/:id',
  summary: 'Get a licence',
  role: 'computer.read',
  extension: true,
  params: LicencePath,
  returns: ok(Licence),
  problems: [licenceNotFound],
  handle: ({ params, db }) => requireLicence(db, params.id),
})
