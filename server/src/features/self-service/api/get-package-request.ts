import { ok, operation } from '../../../platform/operation.ts'
import { packageRequestRows } from '../package-requests.ts'
import { packageRequestNotFound } from '../problems.ts'
import { PackageRequest, PackageRequestPath } from './schemas.ts'

export const getPackageRequest = operation({
  id: 'getPackageRequest',
  route: 'GET /api/package-requests/:id',
  summary: 'Get a package request',
  role: 'computer.read',
  params: PackageRequestPath,
  returns: ok(PackageRequest),
  problems: [packageRequestNotFound],
  extension: true,
  async handle({ params: { id }, db }) {
    const found = await packageRequestRows(db).where('request.id', '=', id).executeTakeFirst()
    if (!found) throw packageRequestNotFound({ requestId: id })
    return found
  },
})
