import type { components } from './types.ts'

type Schemas = components['schemas']
export type PackageRequest = Schemas['PackageRequest']
export type PackageRequestState = Schemas['PackageRequestState']

export const packageRequestStates = ['Pending', 'Approved', 'Declined'] as const satisfies PackageRequestState[]

export const packageRequestsKey = ['package-requests']

export const packageRequestEvents = ['muster.package-request.*', 'muster.computer.deleted']

/** The roles with which a person can approve. */
export const approvingRoles = ['activation.execute', 'group.write'] as const
