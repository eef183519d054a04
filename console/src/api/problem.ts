export type FieldError = { in: string; name: string; reason: string }

/** Why a request failed: the problem that the service returned, or the network error. */
export class Problem extends Error {
  /** 0 if there was no response. */
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

/** Shows errors of the console itself like any other problem, so they do not go unnoticed. */
export function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error
  return new Problem({ code: 'PageFault', title: 'Error', detail: String(error) }, 0)
}

export function hasStatus(error: unknown, status: number): boolean {
  return error instanceof Problem && error.status === status
}
