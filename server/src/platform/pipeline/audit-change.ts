import type { FastifyRequest } from 'fastify'
import type { Database } from '../../database/connect.ts'
import { findCallerRequestId } from '../http/observe-requests.ts'
import type { AnyOperation } from '../operation.ts'
import type { HandlerOutcome } from './call-handler.ts'
import { resourcePath } from './resource-path.ts'
import type { OperationRun } from './run-context.ts'

/** Audits a finished change. The audit trail records what principals did, so changes by machines are left out. */
export async function auditChange(
  { context, operation, request, approval }: OperationRun,
  tx: Database,
  { answer, createdId, concealed }: HandlerOutcome,
): Promise<void> {
  if (operation.role === 'machine' || operation.role === 'no token') return
  const resource = resourcePath(operation.changes ?? operation, request)
  await context.auditTrail.append(tx, {
    ...auditedRequest(operation, request),
    target: createdId === undefined ? resource : `${resource}/${createdId}`,
    concealed,
    status: answer.status,
    approval,
  })
}

/** Returns the function that audits one step of a stepwise change. */
export function auditStep({ context, operation, request }: OperationRun) {
  return (tx: Database, target: string) =>
    context.auditTrail.append(tx, { ...auditedRequest(operation, request), target, concealed: [], status: 200 })
}

function auditedRequest(operation: AnyOperation, request: FastifyRequest) {
  const { caller, query, body, id: requestId, trace } = request
  const { dryRun: _, ...filters } = query as Record<string, unknown>
  const callerRequestId = findCallerRequestId(request)
  // A trace that begins with the request has its id.
  const traceId = trace.parentSpanId === undefined ? undefined : trace.traceId
  return { principal: caller.principal, operation, query: filters, body, requestId, callerRequestId, traceId }
}
