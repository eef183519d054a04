import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { openAccess } from '../../platform/authentication/open-access.ts'
import { requireAccess } from '../../platform/authentication/require-access.ts'
import { internalError, unauthorized } from '../../platform/general-problems.ts'
import { toProblem } from '../../platform/http/send-problem.ts'
import type { AnyOperation, Call } from '../../platform/operation.ts'
import { checkRequest } from '../../platform/pipeline/check-request.ts'
import { changeOnce } from '../../platform/pipeline/run-change.ts'
import type { OperationRun } from '../../platform/pipeline/run-context.ts'
import { unseal } from '../../platform/sealing.ts'
import type { Services } from '../../platform/services.ts'
import { auditTrail } from '../audit/audit-trail.ts'
import { findActivePrincipal } from '../principals/principal-directory.ts'
import { changeGuard } from './guard-change.ts'
import { approvalKey, type StoredRequest } from './request-approval.ts'

/** A request that waits for approval. */
export type PendingApproval = {
  id: string
  requester_id: number
  operation: string
  computer_ids: number[]
  content: string[] | null
  sealed_request: Buffer
}

/** How the request was answered; `problemCode` is null if it succeeded. */
export type ApprovedAnswer = { status: number; problemCode: string | null }

/**
 * Makes the change of an approved request in the transaction of the approval so that it happens exactly once: as the
 * requester and with the rights that the requester still has when the change is made. A request that is refused changes
 * nothing.
 */
export async function runApproved(
  tx: Database,
  { services, operations, request: approverRequest }: Pick<Call, 'services' | 'operations' | 'request'>,
  approval: PendingApproval,
): Promise<ApprovedAnswer> {
  const operation = operations.find(({ id }) => id === approval.operation)
  await sql`savepoint approved`.execute(tx)
  try {
    if (!operation) throw new Error(`The approved operation ${approval.operation} does not exist.`)
    const request = restoreRequest(services, approverRequest, approval)
    const requireRequester = () => takeOverRights(tx, request, approval, operation)
    await requireRequester()
    request.access = openAccess(requireRequester)
    checkRequest(operation, request)
    const run: OperationRun = {
      context: { db: tx, services, operations, versionedReads: new Set(), auditTrail, changeGuard },
      operation,
      request,
      approval: {
        id: approval.id,
        approver: approverRequest.caller.principal,
        computerIds: approval.computer_ids,
        content: approval.content,
      },
    }
    const { status } = await changeOnce(run, tx)
    // A revocation does not wait for this transaction.
    await requireRequester()
    return { status, problemCode: null }
  } catch (error) {
    const { kind } = toProblem(error, operation)
    // The fault may be gone when the approval is repeated, so the request keeps waiting.
    if (kind === internalError || kind.status >= 500) throw error
    await sql`rollback to savepoint approved`.execute(tx)
    return { status: kind.status, problemCode: kind.code }
  }
}

/** Gives the request the rights that the requester has now. Throws 401 or 403 if it may not make the request any more. */
async function takeOverRights(
  tx: Database,
  request: FastifyRequest,
  { requester_id }: PendingApproval,
  operation: AnyOperation,
): Promise<void> {
  const principal = await findActivePrincipal(tx, requester_id)
  if (!principal) throw unauthorized()
  requireAccess(principal, operation)
  request.caller = { ...request.caller, principal }
}

/** The request of the requester, in the place of the one that approves it. */
function restoreRequest(
  services: Services,
  approverRequest: FastifyRequest,
  approval: PendingApproval,
): FastifyRequest {
  const content = unseal(approvalKey(services.keys, approval.id), approval.sealed_request)
  const { params, query, body, headers } = JSON.parse(content) as StoredRequest
  const value = (one: unknown) => ({ value: one, writable: true })
  return Object.create(approverRequest, {
    params: value(params),
    query: value(query),
    body: value(body),
    headers: value({ ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) }),
    caller: value(approverRequest.caller),
    // That of the approver is checked by the operation that approves: its end is not a failure of this request.
    access: value(undefined),
  })
}
