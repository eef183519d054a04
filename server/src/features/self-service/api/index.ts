import type { AnyOperation } from '../../../platform/operation.ts'
import { approvePackageRequest } from './approve-package-request.ts'
import { declinePackageRequest } from './decline-package-request.ts'
import { getPackageRequest } from './get-package-request.ts'
import { listPackageRequests } from './list-package-requests.ts'

export const selfServiceApi: readonly AnyOperation[] = [
  listPackageRequests,
  getPackageRequest,
  approvePackageRequest,
  declinePackageRequest,
]
