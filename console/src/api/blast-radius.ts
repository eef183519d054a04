import { answerOf, api } from './client.ts'
import type { components } from './types.ts'

type Schemas = components['schemas']
export type Approval = Schemas['Approval']
export type ApprovalState = Schemas['ApprovalState']
export type BlastRadius = Schemas['BlastRadius']
export type Freeze = Schemas['Freeze']

export const approvalStates = ['Pending', 'Executed', 'Failed', 'Denied', 'Expired'] as const satisfies ApprovalState[]

export const approvalsKey = ['approvals']
export const freezeKey = ['freeze']
export const quotasKey = ['blast-radius']

/** Read when a page opens and not at intervals: repeated requests would keep the session alive. */
export const freezeQuery = { queryKey: freezeKey, queryFn: () => answerOf(api.GET('/api/freeze')) }

export const quotasQuery = { queryKey: quotasKey, queryFn: () => answerOf(api.GET('/api/blast-radius')) }

/** What changes the list of approvals. With its principal, a request is deleted. */
export const approvalEvents = ['muster.approval.*', 'muster.principal.deleted']
