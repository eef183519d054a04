import { ok, operation } from '../../../platform/operation.ts'
import { lockPendingRequest, packageRequestRows, recordRequestDecision } from '../package-requests.ts'
import { packageRequestDecided, packageRequestNotFound } from '../problems.ts'
import { getPackageRequest } from './get-package-request.ts'
import { PackageRequest, PackageRequestPath, PackageRequestRefusal } from './schemas.ts'

export const declinePackageRequest = operation({
  id: 'declinePackageRequest',
  route: 'POST /api/package-requests/:id/refusal',
  summary: 'Decline a package request',
  description: 'The user sees the answer on the self-service page.',
  role: 'activation.execute',
  params: PackageRequestPath,
  body: PackageRequestRefusal,
  returns: ok(PackageRequest),
  problems: [packageRequestNotFound, packageRequestDecided],
  changes: getPackageRequest,
  extension: true,
  async handle({ params: { id }, body: { answer }, db, caller: { principal } }) {
    const rows = packageRequestRows(db).where('request.id', '=', id)
    if (!(await lockPendingRequest(db, id)))
      throw (await rows.executeTakeFirst())
        ? packageRequestDecided({ requestId: id })
        : packageRequestNotFound({ requestId: id })
    await recordRequestDecision(db, id, { state: 'Declined', decidedBy: principal.name, answer, packageId: null })
    return rows.executeTakeFirstOrThrow()
  },
})
