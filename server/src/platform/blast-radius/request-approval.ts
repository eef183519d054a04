import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import type { ServerKeys } from '../authentication/server-keys.ts'
import { approvalRequired } from '../general-problems.ts'
import { redactSecrets } from '../pipeline/audit.ts'
import type { OperationRun } from '../pipeline/operation-run.ts'
import { resourcePath } from '../pipeline/resource-path.ts'
import type { Problem } from '../problem.ts'
import { seal } from '../sealing.ts'
import type { QuotaExceeded } from './quota.ts'

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
 * is not stored again. A dry run stores nothing.
 */
export async function requestApproval(run: OperationRun, exceeded: QuotaExceeded): Promise<Problem> {
  const { computerCount, quota, used } = exceeded
  const { dryRun } = run.request.query as { dryRun?: boolean }
  const stored = dryRun ? undefined : await storeApproval(run, computerCount)
  return approvalRequired({
    approvalId: stored?.id ?? null,
    expiresAtUtc: stored?.expires_at ?? null,
    computerCount,
    quota,
    usedInLastHour: used,
  })
}

async function storeApproval({ context, operation, request }: OperationRun, computerCount: number) {
  const { keys } = context.services
  const { params, query, body, headers, caller } = request
  const { id: requesterId, name } = caller.principal
  const stored: StoredRequest = {
    params,
    query,
    body,
    headers: {
      ...(headers['if-match'] !== undefined && { 'if-match': headers['if-match'] }),
      ...(headers['idempotency-key'] !== undefined && { 'idempotency-key': String(headers['idempotency-key']) }),
    },
  }
  const content = JSON.stringify(stored)
  const shown = {
    ...(Object.keys(query as object).length > 0 && { query }),
    ...(body !== undefined && { body: redactSecrets(operation.body, body) }),
  }
  const hash = keys.deriveKey(`approval request ${operation.id} ${computerCount} ${content}`)
  return context.db.transaction().execute(async (tx) => {
    await purgeOldApprovals(tx)
    const waiting = await tx
      .selectFrom('approvals')
      .select(['id', 'expires_at'])
      .where('requester_id', '=', requesterId)
      .where('request_hash', '=', hash)
      .where('state', '=', 'Pending')
      .executeTakeFirst()
    if (waiting && waiting.expires_at > new Date()) return waiting
    const id = waiting?.id ?? randomUUID()
    const { rows } = await sql<{ id: string; expires_at: Date }>`
      insert into approvals (id, requester_id, requester_name, operation, target, request, computer_count, request_hash, sealed_request)
      values (${id}, ${requesterId}, ${name}, ${operation.id}, ${resourcePath(operation, request)},
        ${JSON.stringify(shown)}::jsonb, ${computerCount}, ${hash}, ${seal(approvalKey(keys, id), content)})
      on conflict (requester_id, request_hash) where state = 'Pending'
      do update set requested_at = now(), expires_at = excluded.expires_at
      returning id, expires_at`.execute(tx)
    return rows[0]
  })
}

/** Decisions stay visible for thirty days. The audit trail keeps them for ever. */
async function purgeOldApprovals(db: Database): Promise<void> {
  await sql`
    delete from approvals where id in (
      select id from approvals where expires_at < now() - interval '30 days' limit 20 for update skip locked)`.execute(
    db,
  )
}
