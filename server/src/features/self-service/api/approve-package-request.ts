import { sql } from 'kysely'
import { requireRole } from '../../../platform/authentication/authenticate.ts'
import { forbidden } from '../../../platform/general-problems.ts'
import { ok, operation } from '../../../platform/operation.ts'
import { wrongEndpointForType } from '../../assignments/api/groups/problems.ts'
import { computerNotFound } from '../../computers/computers.ts'
import { createdContent } from '../../deployments/activation/planned-content.ts'
import { packageNotApplicable } from '../../deployments/problems.ts'
import { packageNotFound } from '../../packages/problems.ts'
import { grantPackage } from '../grant-package.ts'
import { lockPendingRequest, packageRequestRows, recordRequestDecision } from '../package-requests.ts'
import { packageRequestDecided, packageRequestNotFound } from '../problems.ts'
import { getPackageRequest } from './get-package-request.ts'
import { PackageRequest, PackageRequestApproval, PackageRequestPath } from './schemas.ts'

export const approvePackageRequest = operation({
  id: 'approvePackageRequest',
  route: 'POST /api/package-requests/:id/approval',
  summary: 'Approve a package request and deploy the package',
  description:
    'The computer gets the package at its next contact. Unless the package is assigned to it, it becomes a member of the ' +
    'assignment group of the package below `Requested software`, which is created if necessary. This also requires the role ' +
    'group.write. Remove the computer from the group to take the package back.',
  role: 'activation.execute',
  massAction: { computers: ({ params: { id } }) => sql`select computer_id from package_requests where id = ${id}` },
  removals: 'Published',
  content: ({ body: { packageId } }) => createdContent(sql`work.package_id = ${packageId}`),
  params: PackageRequestPath,
  body: PackageRequestApproval,
  returns: ok(PackageRequest),
  problems: [
    forbidden,
    packageRequestNotFound,
    packageRequestDecided,
    packageNotFound,
    packageNotApplicable,
    wrongEndpointForType,
    computerNotFound,
  ],
  changes: getPackageRequest,
  extension: true,
  async handle({ params: { id }, body: { packageId, answer = '' }, db, caller: { principal }, countRemovals }) {
    const rows = packageRequestRows(db).where('request.id', '=', id)
    const request = await lockPendingRequest(db, id)
    if (!request)
      throw (await rows.executeTakeFirst())
        ? packageRequestDecided({ requestId: id })
        : packageRequestNotFound({ requestId: id })
    await grantPackage(db, {
      ...{ computerId: request.computer_id, packageId, createdBy: principal, countRemovals },
      requireGroupRights: () => requireRole(principal, 'group.write'),
    })
    await recordRequestDecision(db, id, { state: 'Approved', decidedBy: principal.name, answer, packageId })
    return rows.executeTakeFirstOrThrow()
  },
})
