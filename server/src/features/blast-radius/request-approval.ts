import { randomUUID } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { lockTextForTransaction } from '../../database/advisory-locks.ts'
import type { Database } from '../../database/connect.ts'
import type { ServerKeys } from '../../platform/authentication/server-keys.ts'
import { approvalRequired, tooManyApprovals } from '../../platform/general-problems.ts'
import type { AnyOperation } from '../../platform/operation.ts'
import type { QuotaExceeded } from '../../platform/pipeline/quota-exceeded.ts'
import { redactSecrets } from '../../platform/pipeline/redact-secrets.ts'
import { resourcePath } from '../../platform/pipeline/resource-path.ts'
import type { OperationRun } from '../../platform/pipeline/run-context.ts'
import type { Problem } from '../../platform/problem.ts'
import { seal } from '../../platform/sealing.ts'
import { lockActivePrincipal } from '../principals/lock-active-principal.ts'
import { affectedBy, listComputerIds } from './affected-computers.ts'
import { listFirstComputers, listSubjects } from './request-subjects.ts'
import {
  countWaitingRequests,
  expireApprovals,
  findWaiting,
  insertApproval,
  maxWaitingRequests,
  purgeOldApprovals,
} from './stored-approvals.ts'

/** What is needed to make the change later, as the requester asked for it. */
export type StoredRequest = {
  params: unknown
  query: unknown
  body?: unknown
  headers: { 'if-match'?: string; 'idempotency-key'?: string }
}

/** Only the server can open the request of an approval, and only under the id of that approval. */
export function approvalKey(keys: ServerKeys, approvalId: string): Buffer {
  return keys.deriveKey(`approval ${approvalId}`)
}

/**
 * Stores a request that exceeds the quota, and returns the problem that names the approval. A request that already waits
 * for the same computers and the same content is not stored again. A dry run stores nothing.
 */
export async function requestApproval(run: OperationRun, exceeded: QuotaExceeded): Promise<Problem> {
  const { quota, used, text } = exceeded.exceeded
  const { dryRun } = run.request.query as { dryRun?: boolean }
  const stored = dryRun ? undefined : await storeRequest(run, exceeded.content)
  return approvalRequired({
    detail: `${text} ${waitsForApproval}`,
    approvalId: stored?.id ?? null,
    expiresAtUtc: stored?.expires_at ?? null,
    computerCount: stored?.computerCount ?? exceeded.computerCount,
    quota,
    usedInLastHour: used,
  })
}

const waitsForApproval = 'The change waits for the approval of a second principal.'

/** The change was undone, so the computers are selected once more: those are what is shown, and what is approved. */
async function storeRequest({ context, operation, request }: OperationRun, content: readonly string[] | null) {
  const { keys } = context.services
  const { id: requesterId, name: requesterName } = request.caller.principal
  const stated = JSON.stringify(toStoredRequest(request))
  return context.db.transaction().execute(async (tx) => {
    await lockActivePrincipal(tx, requesterId)
    await lockTextForTransaction(tx, `approvals of principal ${requesterId}`)
    await expireApprovals(tx)
    await purgeOldApprovals(tx)
    const computerIds = await listAffected(tx, operation, request)
    const requestHash = keys.deriveKey(
      `approval request ${JSON.stringify([operation.id, computerIds, content])} ${stated}`,
    )
    const waiting = await findWaiting(tx, requesterId, requestHash)
    if (waiting) return { ...waiting, computerCount: computerIds.length }
    const waitingCount = await countWaitingRequests(tx, requesterId)
    if (waitingCount >= maxWaitingRequests) throw tooManyApprovals({ waitingCount })
    const id = randomUUID()
    const stored = await insertApproval(tx, {
      ...{ id, requesterId, requesterName, requestHash, computerIds },
      operation: operation.id,
      target: resourcePath(operation, request),
      shown: toShownRequest(operation, request),
      subjects: await listSubjects(tx, operation, request),
      firstComputers: await listFirstComputers(tx, computerIds),
      content,
      sealedRequest: seal(approvalKey(keys, id), stated),
    })
    return stored && { ...stored, computerCount: computerIds.length }
  })
}

async function listAffected(db: Database, operation: AnyOperation, request: FastifyRequest): Promise<number[]> {
  const affected = affectedBy(operation, request)
  if (!affected) throw new Error(`${operation.id} is destructive, but does not select its computers.`)
  return listComputerIds(db, affected)
}

function toStoredRequest({ params, query, body, headers }: FastifyRequest): StoredRequest {
  return {
    params,
    query,
    body,
    headers: {
      ...(headers['if-match'] !== undefined && { 'if-match': headers['if-match'] }),
      ...(headers['idempotency-key'] !== undefined && { 'idempotency-key': String(headers['idempotency-key']) }),
    },
  }
}

function toShownRequest(operation: AnyOperation, { query, body }: FastifyRequest): object {
  return {
    ...(Object.keys(query as object).length > 0 && { query }),
    ...(body !== undefined && { body: redactSecrets(operation.body, body) }),
  }
}
