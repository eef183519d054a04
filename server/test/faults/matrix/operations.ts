import { setTimeout as sleep } from 'node:timers/promises'
import { type Answer, type HttpClient, NoAnswer, type Sent } from './http-client.ts'

export type OperationKind = 'contact' | 'result' | 'read' | 'write'

/** The status of an answer, or why there was none. */
export type Attempt = { at: number; milliseconds: number; outcome: number | string; code: string }

/** What a client wants to achieve, with all attempts at it. Times are those of `performance.now()`. */
export type Operation = {
  kind: OperationKind
  name: string
  client: HttpClient
  /** The computer whose rows it needs. */
  computerId: number | null
  at: number
  /** When it succeeded. */
  succeededAt: number | undefined
  attempts: Attempt[]
}

export type Authorization = { header(): string; renew(rejected: string): Promise<void> }

export type OperationRequest = Omit<Sent, 'headers'> & {
  kind: OperationKind
  name: string
  computerId: number | null
  headers?: Record<string, string>
}

const pauseAfterLostConnectionMs = 200

/**
 * Sends a request until it succeeds, as our clients do: again after the time that a 503 gives, and after a lost
 * connection. Any other refusal ends the operation. Returns the body of the success.
 */
export async function performOperation(
  client: HttpClient,
  authorization: Authorization,
  { kind, name, computerId, ...sent }: OperationRequest,
  log: Operation[],
  abandon: AbortSignal,
): Promise<Record<string, unknown> | undefined> {
  const operation: Operation = {
    kind,
    name,
    client,
    computerId,
    at: performance.now(),
    succeededAt: undefined,
    attempts: [],
  }
  log.push(operation)
  while (!abandon.aborted) {
    const header = authorization.header()
    const attempt: Attempt = { at: performance.now(), milliseconds: 0, outcome: 'unfinished', code: '' }
    operation.attempts.push(attempt)
    const answer = await client
      .send({ ...sent, headers: { ...sent.headers, authorization: header } })
      .catch((error: unknown) => {
        if (error instanceof NoAnswer) return error
        throw error
      })
    attempt.milliseconds = performance.now() - attempt.at
    attempt.outcome = answer instanceof NoAnswer ? answer.message : answer.status
    if (answer instanceof NoAnswer) {
      await pause(pauseAfterLostConnectionMs, abandon)
      continue
    }
    if (answer.status < 300) {
      operation.succeededAt = performance.now()
      // An answer without a body is a success, too.
      return (answer.body || {}) as Record<string, unknown>
    }
    attempt.code = String((answer.body as { code?: unknown } | null)?.code ?? '')
    if (answer.status === 401 && countOf(operation, 401) <= maxRenewals) await authorization.renew(header)
    else if (isRetryable(answer)) await pause(1000 * (answer.retryAfterSeconds ?? 1), abandon)
    else return undefined
  }
  return undefined
}

const maxRenewals = 3

function countOf({ attempts }: Operation, status: number): number {
  return attempts.filter(({ outcome }) => outcome === status).length
}

function isRetryable({ status }: Answer): boolean {
  return status === 503 || status === 429 || status === 408
}

export async function pause(milliseconds: number, abandon: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal: abandon }).catch(() => {})
}
