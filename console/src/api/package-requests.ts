import { answerOf, api } from './client.ts'
import type { components } from './types.ts'

type Schemas = components['schemas']
export type PackageRequest = Schemas['PackageRequest']
export type PackageRequestState = Schemas['PackageRequestState']

export const packageRequestStates = ['Pending', 'Approved', 'Declined'] as const satisfies PackageRequestState[]

export const packageRequestsKey = ['package-requests']

export const packageRequestEvents = ['muster.package-request.*', 'muster.computer.deleted']

/** The roles with which a person can approve. */
export const approvingRoles = ['activation.execute', 'group.write'] as const

/** The requests that wait for a decision. Only their number is of interest. */
export const waitingPackageRequestsQuery = {
  queryKey: [...packageRequestsKey, 'waiting'],
  queryFn: () =>
    answerOf(api.GET('/api/package-requests', { params: { query: { state: 'Pending', top: 1 } } })).then(
      ({ totalCount }) => totalCount,
    ),
}
