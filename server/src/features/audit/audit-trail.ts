import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { executePrepared } from '../../database/prepared-statements.ts'
import type { AuditEntry, AuditedAttempt, AuditTrail } from '../../platform/audit-trail.ts'
import { redactSecrets } from '../../platform/pipeline/redact-secrets.ts'

/** Appends to the hash-chained audit trail. Call it last: it locks the chain until the transaction commits. */
export async function appendAuditEntry(tx: Database, entry: AuditEntry): Promise<void> {
  await executePrepared(tx, entryAppended(entry))
}

/**
 * The same, after a change of a row that others wait for: as one statement with the entry, it does not wait for the service in
 * between. Returns false if `change` returns no row; then nothing is appended.
 */
export async function appendAuditEntryAfter(
  tx: Database,
  change: RawBuilder<unknown>,
  entry: AuditEntry,
): Promise<boolean> {
  const { rows } = await executePrepared(tx, sql`with changed as (${change}) ${entryAppended(entry)} from changed`)
  return rows.length > 0
}

function entryAppended(entry: AuditEntry): RawBuilder<unknown> {
  const {
    principal,
    operation,
    target,
    query,
    body,
    concealed,
    status,
    requestId,
    details,
    callerRequestId,
    traceId,
    approval,
  } = entry
  const request = {
    ...details,
    ...(Object.keys(query).length > 0 && { query }),
    ...(body !== undefined && { body: concealed.reduce(conceal, redactSecrets(operation.body, body)) }),
    ...(callerRequestId !== undefined && { callerRequestId }),
    ...(traceId !== undefined && { traceId }),
    ...(approval && {
      approval: { id: approval.id, principalId: approval.approver.id, principalName: approval.approver.name },
    }),
  }
  return sql`
    select append_audit_entry(${principal.id}::integer, ${principal.name}, ${operation.id}, ${target},
      ${JSON.stringify(request)}::jsonb, ${status}::smallint, ${requestId})`
}

/** Audits a token request or a failed sign-in. If the same one was audited within the last hour, it is only counted. */
export async function auditAttempt(db: Database, attempt: AuditedAttempt): Promise<void> {
  const { principal, operation, target, status, requestId, details } = attempt
  await sql`
    select audit_repeated_request(${principal.id}::integer, ${principal.name}, ${operation}, ${target},
      ${JSON.stringify(details)}::jsonb, ${status}::smallint, ${requestId})`.execute(db)
}

function conceal(value: unknown, [key, ...rest]: string[]): unknown {
  if (key === undefined) return '[secret]'
  if (typeof value !== 'object' || value === null || !(key in value)) return value
  return { ...value, [key]: conceal((value as Record<string, unknown>)[key], rest) }
}

/** The audit trail as the pipeline of operations uses it. */
export const auditTrail: AuditTrail = { append: appendAuditEntry, recordAttempt: auditAttempt }
