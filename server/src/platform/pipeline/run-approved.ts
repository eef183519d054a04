import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { requireRole } from '../authentication/authenticate.ts'
import { openAccess } from '../authentication/open-access.ts'
import { findActivePrincipal } from '../authentication/principal-directory.ts'
import { approvalKey, type StoredRequest } from '../blast-radius/request-approval.ts'
import { internalError, unauthorized } from '../general-problems.ts'
import { toProblem } from '../http/send-problem.ts'
import type { AnyOperation } from '../operation.ts'
import { unseal } from '../sealing.ts'
import type { Services } from '../services.ts'
import { checkRequest } from './check-request.ts'
import { changeOnce } from './run-change.ts'
import type { OperationRun } from './run-context.ts'

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
 * Makes the change of an approved request in the transaction of the approval, so that it happens exactly once: as the
 * requester and with the rights that the requester has, also when the change is made. A request that is refused changes
 * nothing.
 */
export async function runApproved(
  tx: Database,
  services: Services,
  approverRequest: FastifyRequest,
  approval: PendingApproval,
): Promise<ApprovedAnswer> {
  const operation = services.operations.find(({ id }) => id === approval.operation)
  await sql`savepoint approved`.execute(tx)
  try {
    if (!operation) throw new Error(`The approved operation ${approval.operation} does not exist.`)
    const request = restoreRequest(services, approverRequest, approval)
    const requireRequester = () => takeOverRights(tx, request, approval, operation)
    await requireRequester()
    request.access = openAccess(requireRequester)
    checkRequest(operation, request)
    const run: OperationRun = {
      context: { db: tx, services, versionedReads: new Set() },
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
  { role }: AnyOperation,
): Promise<void> {
  const principal = await findActivePrincipal(tx, requester_id)
  if (!principal) throw unauthorized()
  requireRole(principal, role)
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
    // That of the approver is checked by the operation that approves: its end is no failure of this request.
    access: value(undefined),
  })
}
