import { parseRetryAfter } from './retry-after.ts'
import type { components, ProblemCode } from './types.ts'

type ProblemDetails = components['schemas']['ProblemDetails']
type TokenError = components['schemas']['Rfc6749Error']

/** What is wrong with one property or parameter of a request. */
export type FieldError = NonNullable<ProblemDetails['errors']>[number]

/** No response: this computer has no network, or the service does not answer. */
type NoAnswerCode = 'Offline' | 'ServiceUnreachable'

/** What the client itself refuses: to send something to an address, or to use an answer. */
type RefusalCode = 'InsecureAddress' | 'ForeignAddress' | 'UnexpectedRedirect' | 'InvalidAnswer'

type ClientCode = NoAnswerCode | RefusalCode

type Body = Partial<ProblemDetails> & Partial<TokenError> & Record<string, unknown>

const knownProperties = ['type', 'title', 'status', 'detail', 'instance', 'code', 'message', 'requestId', 'errors']

/** Why a request failed: the problem that the service returned, or that it did not answer. */
export class MusterProblem<Code extends string = string> extends Error {
  override readonly name = 'MusterProblem'
  /** 0 if there was no response. */
  readonly status: number
  /** Identifies the problem for programs. */
  readonly code: Code
  readonly title: string
  readonly errors: readonly FieldError[]
  /** Finds the request in the log of the service. */
  readonly requestId: string | undefined
  readonly retryAfterSeconds: number | undefined
  /** Further properties of the problem, such as the ids of the resources concerned. */
  readonly details: Readonly<Record<string, unknown>>

  constructor(body: Body, status: number, { retryAfter, cause }: { retryAfter?: string | null; cause?: unknown } = {}) {
    super(textOf(body.detail) || textOf(body.message) || textOf(body.error_description), { cause })
    this.status = status
    this.code = (textOf(body.code) || textOf(body.error)) as Code
    this.title = textOf(body.title)
    this.errors = Array.isArray(body.errors) ? body.errors.filter(isFieldError) : []
    this.requestId = textOf(body.requestId) || undefined
    this.retryAfterSeconds = parseRetryAfter(retryAfter)
    this.details = Object.fromEntries(Object.entries(body).filter(([name]) => !knownProperties.includes(name)))
  }
}

/** A service may send anything, even as a problem. */
const textOf = (value: unknown) => (typeof value === 'string' ? value : '')

const isFieldError = (value: unknown): value is FieldError => {
  const { in: part, name, reason } = Object(value) as Record<string, unknown>
  return [part, name, reason].every((text) => typeof text === 'string')
}

/** A problem with a code of the API. `switch (problem.code)` narrows it. */
export type Problem = MusterProblem<ProblemCode | ClientCode>

/** Whether an error is a problem, with one of these codes if there are any. */
export function isProblem<Code extends ProblemCode | ClientCode>(
  error: unknown,
  ...codes: readonly Code[]
): error is MusterProblem<Code> {
  return error instanceof MusterProblem && (codes.length === 0 || codes.includes(error.code as Code))
}

/** The problem that a response contains. The body of the response can still be read. */
export async function problemOf(response: Response): Promise<MusterProblem> {
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => undefined)
  const isObject = typeof body === 'object' && body !== null && !Array.isArray(body)
  return new MusterProblem(isObject ? (body as Body) : { title: response.statusText }, response.status, {
    retryAfter: response.headers.get('retry-after'),
  })
}

/** The problem of a request without a response. */
export function unreachable(detail?: string, cause?: unknown): MusterProblem<NoAnswerCode> {
  // Only browsers know whether the computer is online.
  const { onLine } = (globalThis.navigator ?? {}) as { onLine?: boolean }
  const code = onLine === false ? 'Offline' : 'ServiceUnreachable'
  return new MusterProblem({ code, ...(detail !== undefined && { detail }) }, 0, { cause })
}
