import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import type { AnyOperation } from '../operation.ts'
import type { TSchema } from '../schema.ts'
import type { GivenApproval } from './run-context.ts'

/** Who did something. Without a principal, the name describes who it was. */
export type AuditedActor = { id: number | null; name: string }

export type AuditEntry = {
  principal: AuditedActor
  operation: Pick<AnyOperation, 'id' | 'body'>
  /** The path of the resource that was changed or created. */
  target: string
  query: Record<string, unknown>
  body: unknown
  /** Paths into the body that the handler declared secret. */
  concealed: string[][]
  status: number
  requestId: string
  /** What is worth knowing besides query and body. */
  details?: Record<string, unknown>
  /** What the caller sent as X-Request-Id, cleaned. */
  callerRequestId?: string | undefined
  /** Set if another principal has approved the request. */
  approval?: GivenApproval | undefined
}

/** Appends to the hash-chained audit trail. Call it last: it locks the chain until the transaction commits. */
export async function appendAuditEntry(tx: Database, entry: AuditEntry): Promise<void> {
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
    approval,
  } = entry
  const request = {
    ...details,
    ...(Object.keys(query).length > 0 && { query }),
    ...(body !== undefined && { body: concealed.reduce(conceal, redactSecrets(operation.body, body)) }),
    ...(callerRequestId !== undefined && { callerRequestId }),
    ...(approval && {
      approval: { id: approval.id, principalId: approval.approver.id, principalName: approval.approver.name },
    }),
  }
  await sql`
    select append_audit_entry(${principal.id}::integer, ${principal.name}, ${operation.id}, ${target},
      ${JSON.stringify(request)}::jsonb, ${status}::smallint, ${requestId})`.execute(tx)
}

export type AuditedAttempt = {
  principal: AuditedActor
  operation: string
  target: string
  status: number
  requestId: string
  /** Equal attempts within an hour differ in nothing of this. */
  details: Record<string, unknown>
}

/** Audits a token request or a failed sign-in. If the same one was audited within the last hour, it is only counted. */
export async function auditAttempt(db: Database, attempt: AuditedAttempt): Promise<void> {
  const { principal, operation, target, status, requestId, details } = attempt
  await sql`
    select audit_repeated_request(${principal.id}::integer, ${principal.name}, ${operation}, ${target},
      ${JSON.stringify(details)}::jsonb, ${status}::smallint, ${requestId})`.execute(db)
}

/** Replaces everything that the schema marks as writeOnly. */
export function redactSecrets(schema: TSchema | null | undefined, value: unknown): unknown {
  if (schema?.writeOnly && value !== null) return '[secret]'
  if (Array.isArray(value)) return value.map((item) => redactSecrets(schema?.items, item))
  if (typeof value !== 'object' || value === null || value instanceof Date) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, child]) => [
      key,
      redactSecrets(ownProperty(schema, key) ?? additionalSchema(schema), child),
    ]),
  )
}

function conceal(value: unknown, [key, ...rest]: string[]): unknown {
  if (key === undefined) return '[secret]'
  if (typeof value !== 'object' || value === null || !(key in value)) return value
  return { ...value, [key]: conceal((value as Record<string, unknown>)[key], rest) }
}

/** Keys of the caller must not find what every object inherits, such as `constructor`. */
function ownProperty(schema: TSchema | null | undefined, key: string): TSchema | undefined {
  return schema?.properties && Object.hasOwn(schema.properties, key) ? schema.properties[key] : undefined
}

function additionalSchema(schema: TSchema | null | undefined): TSchema | undefined {
  const patterns: TSchema[] = Object.values(schema?.patternProperties ?? {})
  return patterns[0] ?? (typeof schema?.additionalProperties === 'object' ? schema.additionalProperties : undefined)
}
