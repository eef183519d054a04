export type FieldError = { in: string; name: string; reason: string }

/** What the service, or the way to it, said about a request that did not succeed. */
export class Problem extends Error {
  /** 0 when no answer came at all. */
  readonly status: number
  readonly code: string
  readonly title: string
  readonly errors: readonly FieldError[]
  readonly requestId: string | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(answer: ProblemAnswer, status: number, retryAfter?: string | null) {
    super(answer.detail ?? answer.message ?? '')
    this.status = status
    this.code = answer.code ?? ''
    this.title = answer.title ?? ''
    this.errors = answer.errors ?? []
    this.requestId = answer.requestId
    this.retryAfterSeconds = retryAfter ? Number(retryAfter) || undefined : undefined
  }
}

type ProblemAnswer = {
  code?: string
  title?: string
  detail?: string
  message?: string
  requestId?: string
  errors?: FieldError[]
}

export async function problemOf(response: Response): Promise<Problem> {
  const answer = (await response
    .clone()
    .json()
    .catch(() => ({ title: response.statusText }))) as ProblemAnswer
  return new Problem(answer, response.status, response.headers.get('retry-after'))
}

export const unreachableCode = 'ServiceUnreachable'

export function unreachable(): Problem {
  return new Problem({ code: unreachableCode }, 0)
}

/** Faults of the pages themselves are shown like any other, and so cannot go unnoticed. */
export function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error
  return new Problem({ code: 'PageFault', title: 'Error', detail: String(error) }, 0)
}

export function hasStatus(error: unknown, status: number): boolean {
  return error instanceof Problem && error.status === status
}
