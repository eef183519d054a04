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

const unreachableCode = 'ServiceUnreachable'
const offlineCode = 'Offline'

/** No response: this computer has no network, or the service does not answer. */
export function unreachable(): Problem {
  return new Problem({ code: navigator.onLine ? unreachableCode : offlineCode }, 0)
}

export function isUnreachable(problem: Problem): boolean {
  return problem.code === unreachableCode || isOffline(problem)
}

export function isOffline(problem: Problem): boolean {
  return problem.code === offlineCode
}

/** Shows errors of the console itself like any other problem, so they do not go unnoticed. */
export function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error
  return new Problem({ code: 'PageFault', title: 'Error', detail: String(error) }, 0)
}

export function hasStatus(error: unknown, status: number): boolean {
  return error instanceof Problem && error.status === status
}
