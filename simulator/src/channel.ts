import { type Dispatcher, Pool } from 'undici'
import type { Measurements } from './measurements.ts'
import type {
  ComputerSoftware,
  Contact,
  ContactAnswer,
  Enrolled,
  Enrolment,
  PatchScan,
  PatchScanReceipt,
  Postponement,
  StartedWork,
  UserChoices,
  UserChoicesAnswer,
  WorkProgressAnswer,
  WorkResult,
  WorkResultAnswer,
} from './protocol.ts'

/** There was no usable answer. The same request may succeed later. */
export class RequestLost extends Error {
  override name = 'RequestLost'
  readonly retryAfterSeconds: number

  constructor(kind: string, retryAfterSeconds = 0) {
    super(kind)
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** The server understood the request and refused it. */
export class RequestRefused extends Error {
  override name = 'RequestRefused'
  readonly status: number
  readonly code: string

  constructor(status: number, code: string) {
    super(`${status} ${code}`)
    this.status = status
    this.code = code
  }
}

/** The work item does not belong to this computer, or no longer does. */
export function isLeaseLost(error: unknown): boolean {
  return error instanceof RequestRefused && (error.code === 'WorkNotHeld' || error.code === 'WorkNotFound')
}

/** What the network does to a request. */
export type Fate =
  | 'arrives'
  /** The request never reaches the server. */
  | 'not sent'
  /** The server processes the request, but its answer never arrives. */
  | 'answer lost'
  /** The connection breaks this long after the request was sent. */
  | { breaksAfterMs: number }

/** The computer that sends a request. `fate` is called once per request. */
export type Sender = {
  credential: string
  /** The trace of the work that the request is about. */
  traceparent?: string | undefined
  fate(): Fate
}

export type Channel = ReturnType<typeof openChannel>

export type ChannelOptions = { server: string; connections: number; timeoutMs?: number; certificates?: string }

/** Opens the agent channel over a pool of connections that all computers share. */
export function openChannel(options: ChannelOptions, measurements: Measurements) {
  const { server, connections, timeoutMs = 60_000, certificates } = options
  const base = new URL(server.replace(/\/*$/, '/'))
  const pool = new Pool(base.origin, {
    connections,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    ...(certificates && { connect: { ca: certificates } }),
  })
  const root = `${base.pathname}agent/v1/`

  async function call<T>(operation: string, request: Request, sender: Sender): Promise<T> {
    const fate = sender.fate()
    if (fate === 'not sent') throw recordLoss('connection lost before the request', measurements)
    const began = performance.now()
    const { status, text, retryAfter } = await exchange(pool, root, request, sender, fate).catch((error) => {
      measurements.recordNoAnswer(operation)
      throw recordLoss(lossKindOf(error, fate), measurements)
    })
    measurements.recordAnswer(operation, performance.now() - began, status < 400)
    if (fate === 'answer lost') throw recordLoss('connection lost before the answer', measurements)
    if (status >= 400) throw recordFailure(status, text, retryAfter, measurements)
    return (text === '' ? undefined : parseJson(text, measurements)) as T
  }

  const post = (path: string, body: object): Request => ({ method: 'POST', path, body: JSON.stringify(body) })
  const put = (path: string, body: object): Request => ({ method: 'PUT', path, body: JSON.stringify(body) })

  return {
    enrol: (sender: Sender, body: Enrolment) => call<Enrolled>('enrol', post('enrolment', body), sender),
    contact: (sender: Sender, body: Contact) => call<ContactAnswer>('contact', post('contact', body), sender),
    inventory: (sender: Sender, sections: Record<string, object>) =>
      call<void>('inventory', put('inventory', { sections }), sender),
    patchScan: (sender: Sender, body: PatchScan) =>
      call<PatchScanReceipt>('patch scan', put('patch-scan', body), sender),
    start: (sender: Sender, workId: number, body: { attempt: number; runId: string }) =>
      call<StartedWork>('work start', post(`work/${workId}/start`, body), sender),
    progress: (sender: Sender, workId: number, body: { attempt: number; percent: number; message: string }) =>
      call<WorkProgressAnswer>('work progress', post(`work/${workId}/progress`, body), sender),
    postpone: (sender: Sender, workId: number, body: Postponement) =>
      call<{ remaining: number }>('work postponement', post(`work/${workId}/postponement`, body), sender),
    result: (sender: Sender, workId: number, body: WorkResult) =>
      call<WorkResultAnswer>('work result', post(`work/${workId}/result`, body), sender),
    software: (sender: Sender) => call<ComputerSoftware>('software list', { method: 'GET', path: 'software' }, sender),
    userChoices: (sender: Sender, body: UserChoices) =>
      call<UserChoicesAnswer>('user choices', post('user-choices', body), sender),
    /** Discards the content. */
    file: (sender: Sender, workId: number, sha256: string) =>
      call<unknown>('file', { method: 'GET', path: `work/${workId}/files/${sha256}`, isBinary: true }, sender),
    close: () => pool.close(),
    /** Closes without waiting for requests that are under way. */
    destroy: () => pool.destroy(),
  }
}

type Request = { method: 'GET' | 'POST' | 'PUT'; path: string; body?: string; isBinary?: boolean }
type Exchange = { status: number; text: string; retryAfter: number }

async function exchange(
  pool: Pool,
  root: string,
  { method, path, body, isBinary = false }: Request,
  { credential, traceparent }: Sender,
  fate: Fate,
): Promise<Exchange> {
  const answer = await pool.request({
    method,
    path: root + path,
    headers: {
      ...(credential && { authorization: `Bearer ${credential}` }),
      ...(traceparent && { traceparent }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body }),
    ...(typeof fate === 'object' && { signal: AbortSignal.timeout(fate.breaksAfterMs) }),
  })
  const retryAfter = Number(answer.headers['retry-after'] ?? 0) || 0
  return { status: answer.statusCode, text: await readBody(answer, isBinary), retryAfter }
}

/** Reads a binary body to its end, but returns nothing of it. */
async function readBody({ body, statusCode }: Dispatcher.ResponseData, isBinary: boolean): Promise<string> {
  if (!isBinary || statusCode >= 400) return body.text()
  await body.dump({ limit: Number.POSITIVE_INFINITY })
  return ''
}

function recordLoss(kind: string, measurements: Measurements, retryAfterSeconds?: number): RequestLost {
  measurements.recordError(kind)
  return new RequestLost(kind, retryAfterSeconds)
}

function lossKindOf(error: unknown, fate: Fate): string {
  if (typeof fate === 'object') return 'connection broken off'
  const { code, message } = error as { code?: string; message: string }
  return code ?? message
}

function recordFailure(
  status: number,
  text: string,
  retryAfter: number,
  measurements: Measurements,
): RequestLost | RequestRefused {
  const code = codeOf(text)
  const isRetryable = status >= 500 || status === 408 || status === 425 || status === 429
  if (isRetryable) return recordLoss(`${status} ${code}`, measurements, retryAfter)
  measurements.recordError(`${status} ${code}`)
  return new RequestRefused(status, code)
}

function codeOf(text: string): string {
  try {
    const { code } = JSON.parse(text) as { code?: unknown }
    return typeof code === 'string' ? code : 'without a code'
  } catch {
    return 'without a code'
  }
}

function parseJson(text: string, measurements: Measurements): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw recordLoss('an answer that is not JSON', measurements)
  }
}
