import { newIdempotencyKey } from './idempotency-key.ts'
import { isProblem, unreachable } from './problem.ts'
import { openUsedUpLimits, secondsUntilFree } from './rate-limits.ts'
import { parseRetryAfter } from './retry-after.ts'

/** Sends a request. It has the signature of `fetch`, with requests only. */
export type Send = (request: Request) => Promise<Response>

export type RetryOptions = {
  /** Until when a call is repeated, and how long it may wait for the beginning of a response, from its start. */
  deadlineMs?: number
  /** The pause before the second attempt. It doubles with each further attempt. */
  minPauseMs?: number
  maxPauseMs?: number
  /** Which requests may be repeated although the service may have carried them out. */
  isRepeatable?: (request: Request) => boolean
}

const defaults = { deadlineMs: 120_000, minPauseMs: 250, maxPauseMs: 10_000, isRepeatable }

/** Statuses of a service or proxy that is overloaded or restarting. */
const temporary = new Set([502, 503, 504])
const tooManyRequests = 429

/**
 * Repeats requests that a busy or restarting service could not serve, after the pause that `Retry-After` asks for, until
 * the deadline. Each POST gets an idempotency key, so it takes effect once. After the last request that a limit allows
 * (`RateLimit`), the next one waits until there are more, unless that is after the deadline.
 */
export function withRetries(send: Send, options: RetryOptions = {}): Send {
  const { deadlineMs, minPauseMs, maxPauseMs, ...policy } = { ...defaults, ...options }
  const limits = openUsedUpLimits()
  return async (request) => {
    const end = Date.now() + deadlineMs
    if (request.method === 'POST' && !request.headers.has('idempotency-key'))
      request.headers.set('idempotency-key', newIdempotencyKey())
    const msUntilFree = limits.msUntilFree(request)
    if (msUntilFree > 0 && msUntilFree < deadlineMs) await sleep(msUntilFree, request.signal)
    for (let attempt = 0; ; attempt++) {
      const outcome = await tryOnce(send, request.clone(), Math.max(0, end - Date.now()))
      if (outcome instanceof Response) limits.note(request, outcome)
      const pauseMs = pauseBefore(outcome, Math.min(maxPauseMs, minPauseMs * 2 ** attempt))
      if (!isWorthRepeating(outcome, policy.isRepeatable(request)) || Date.now() + pauseMs >= end) {
        if (outcome instanceof Response) return outcome
        throw outcome
      }
      if (outcome instanceof Response) await outcome.body?.cancel()
      await sleep(pauseMs, request.signal)
    }
  }
}

/** Waits for the beginning of the response. An interruption by the caller is thrown; anything else is an outcome. */
async function tryOnce(send: Send, request: Request, timeoutMs: number): Promise<Response | Error> {
  const timeout = new AbortController()
  const timer = setTimeout(() => timeout.abort(), timeoutMs)
  try {
    return await send(new Request(request, { signal: AbortSignal.any([request.signal, timeout.signal]) }))
  } catch (error) {
    if (request.signal.aborted) throw error
    const { origin } = new URL(request.url)
    if (timeout.signal.aborted) return unreachable(`${origin} did not answer in time.`, error)
    return error instanceof TypeError
      ? unreachable(`Cannot reach ${origin}: ${reasonOf(error)}`, error)
      : asError(error)
  } finally {
    clearTimeout(timer)
  }
}

const asError = (error: unknown) => (error instanceof Error ? error : new Error(String(error)))

/** Node hides why a connection failed in the cause. */
function reasonOf({ message, cause }: Error): string {
  const reason = cause as { code?: string; message?: string } | undefined
  return reason?.message || reason?.code || message
}

function isWorthRepeating(outcome: Response | Error, isSafe: boolean): boolean {
  // A limit refuses requests before they have an effect.
  if (outcome instanceof Response && outcome.status === tooManyRequests) return true
  if (!isSafe) return false
  return outcome instanceof Response ? temporary.has(outcome.status) : isUnanswered(outcome)
}

/** What the client itself refuses has no status either, and stays refused. */
const isUnanswered = (error: Error) => isProblem(error, 'Offline', 'ServiceUnreachable')

/** Whether the request has no further effect if the service has carried it out already. */
function isRepeatable({ method, headers }: Request): boolean {
  if (method === 'GET' || method === 'HEAD') return true
  // The version differs after the first success, so nothing is overwritten that somebody else has changed since.
  return headers.has(method === 'POST' ? 'idempotency-key' : 'if-match')
}

/** Clients that failed together should not come back together. */
function pauseBefore(outcome: Response | Error, pauseMs: number): number {
  const seconds = outcome instanceof Response ? secondsToWait(outcome) : undefined
  const retryAfterMs = (seconds ?? 0) * 1_000
  if (retryAfterMs > 0) return retryAfterMs + Math.random() * Math.min(1_000, retryAfterMs / 4)
  return pauseMs * (0.5 + Math.random() / 2)
}

const secondsToWait = ({ headers }: Response) =>
  parseRetryAfter(headers.get('retry-after')) ?? secondsUntilFree(headers.get('ratelimit'))

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const interrupt = () => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', interrupt)
      resolve()
    }, ms)
    if (signal.aborted) interrupt()
    else signal.addEventListener('abort', interrupt, { once: true })
  })
}
