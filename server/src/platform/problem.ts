import { STATUS_CODES } from 'node:http'
import type { AuditedAttempt } from './audit-trail.ts'

export type ProblemOptions = {
  /** The database constraint whose violation is this problem. */
  constraint?: string
  /** Builds the body of the answer, if the contract or a standard prescribes another than RFC 9457. */
  body?: (problem: Problem) => unknown
}

export type ProblemKind = ProblemOptions & {
  (details?: Record<string, unknown>): Problem
  readonly code: string
  readonly status: number
  readonly message: string
}

/** An error that is meant for the client. Everything else that a handler throws is answered with 500. */
export class Problem extends Error {
  readonly kind: ProblemKind
  readonly details: Record<string, unknown>
  readonly headers: Record<string, string>
  /** What the audit trail records of the refusal. */
  attempt: AuditedAttempt | undefined

  constructor(kind: ProblemKind, details: Record<string, unknown>, headers: Record<string, string> = {}) {
    super(kind.message)
    this.kind = kind
    this.details = details
    this.headers = headers
  }

  withHeaders(headers: Record<string, string>): Problem {
    const problem = new Problem(this.kind, this.details, { ...this.headers, ...headers })
    problem.attempt = this.attempt
    return problem
  }

  /** For a refusal from which the caller learns something. It is audited after the change was rolled back. */
  withAudit(attempt: AuditedAttempt): Problem {
    this.attempt = attempt
    return this
  }
}

/**
 * Declares a problem. Programs rely on `code`, which never changes; `message` is a constant sentence for people.
 * What differs from case to case belongs in the details: `throw groupNotFound({ groupId })`.
 */
export function problem(code: string, status: number, message: string, options: ProblemOptions = {}): ProblemKind {
  const kind: ProblemKind = Object.assign((details = {}) => new Problem(kind, details), {
    code,
    status,
    message,
    ...options,
  })
  return kind
}

/** Builds the body of RFC 9457, extended by `code`, `message` and the details. */
export function problemDetails(
  { kind, details }: Problem,
  instance: string | undefined,
  requestId: string | undefined,
) {
  return {
    type: `urn:muster:problem:${kind.code}`,
    title: STATUS_CODES[kind.status],
    status: kind.status,
    detail: kind.message,
    instance,
    code: kind.code,
    message: kind.message,
    requestId,
    ...details,
  }
}
