import type { Database } from '../database/connect.ts'
import type { TSchema } from './schema.ts'

/** Who did something. Without a principal, the name describes who it was. */
export type AuditedActor = { id: number | null; name: string }

export type AuditEntry = {
  principal: AuditedActor
  operation: { id: string; body: TSchema | null }
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
  /** The trace that the caller has sent. */
  traceId?: string | undefined
  /** Set if another principal has approved the request. */
  approval?: { id: string; approver: { id: number; name: string } } | undefined
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

/** Where the pipeline records what principals did. */
export type AuditTrail = {
  /** Call it last: it locks the trail until the transaction commits. */
  append(tx: Database, entry: AuditEntry): Promise<void>
  /** Records a refusal from which the caller learns something. */
  recordAttempt(db: Database, attempt: AuditedAttempt): Promise<void>
}
