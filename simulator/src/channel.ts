import { type Dispatcher, Pool } from 'undici'
import type { Measurements } from './measurements.ts'
import type {
  Contact,
  ContactAnswer,
  Enrolled,
  Enrolment,
  PatchScan,
  StartedWork,
  WorkProgressAnswer,
  WorkResult,
  WorkResultAnswer,
} from './protocol.ts'

/** No answer, or none that counts: the same request may work later. */
export class Lost extends Error {
  override name = 'Lost'
  readonly retryAfterSeconds: number

  constructor(kind: string, retryAfterSeconds = 0) {
    super(kind)
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** The server has understood the request and refuses it. */
export class Refused extends Error {
  override name = 'Refused'
  readonly status: number
  readonly code: string

  constructor(status: number, code: string) {
    super(`${status} ${code}`)
    this.status = status
    this.code = code
  }
}

/** The work is not this computer's, or not any more. */
export function isNotHeld(error: unknown): boolean {
  return error instanceof Refused && (error.code === 'WorkNotHeld' || error.code === 'WorkNotFound')
}

/** What becomes of a request on its way. */
export type Fate =
  | 'arrives'
  /** It never reaches the server. */
  | 'not sent'
  /** The server does what it is asked, and nobody hears of it. */
  | 'answer lost'
  /** The connection breaks so many milliseconds after it was sent. */
  | { breaksAfterMs: number }

/** How one computer speaks: with its credential, and with what happens to its requests on the way. */
export type Line = { credential: string; fate(): Fate }

export type Channel = ReturnType<typeof openChannel>

export type ChannelOptions = { server: string; connections: number; timeoutMs?: number; certificates?: string }

/** The agent channel over a pool of connections that all computers share. */
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

  async function call<T>(operation: string, request: Request, line: Line): Promise<T> {
    const fate = line.fate()
    if (fate === 'not sent') throw lost('connection lost before the request', measurements)
    const began = performance.now()
    const { status, text, retryAfter } = await exchange(pool, root, request, line.credential, fate).catch((error) => {
      measurements.unanswered(operation)
      throw lost(kindOf(error, fate), measurements)
    })
    measurements.answered(operation, performance.now() - began, status < 400)
    if (fate === 'answer lost') throw lost('connection lost before the answer', measurements)
    if (status >= 400) throw failure(status, text, retryAfter, measurements)
    return (text === '' ? undefined : parsed(text, measurements)) as T
  }

  const post = (path: string, body: object): Request => ({ method: 'POST', path, body: JSON.stringify(body) })
  const put = (path: string, body: object): Request => ({ method: 'PUT', path, body: JSON.stringify(body) })

  return {
    enrol: (line: Line, body: Enrolment) => call<Enrolled>('enrol', post('enrolment', body), line),
    contact: (line: Line, body: Contact) => call<ContactAnswer>('contact', post('contact', body), line),
    inventory: (line: Line, sections: Record<string, object>) =>
      call<void>('inventory', put('inventory', { sections }), line),
    patchScan: (line: Line, body: PatchScan) => call<void>('patch scan', put('patch-scan', body), line),
    start: (line: Line, workId: number, body: { attempt: number; runId: string }) =>
      call<StartedWork>('work start', post(`work/${workId}/start`, body), line),
    progress: (line: Line, workId: number, body: { attempt: number; percent: number; message: string }) =>
      call<WorkProgressAnswer>('work progress', post(`work/${workId}/progress`, body), line),
    postpone: (line: Line, workId: number, body: { attempt: number; untilUtc: string }) =>
      call<{ remaining: number }>('work postponement', post(`work/${workId}/postponement`, body), line),
    result: (line: Line, workId: number, body: WorkResult) =>
      call<WorkResultAnswer>('work result', post(`work/${workId}/result`, body), line),
    /** The content is only counted, and thrown away. */
    file: (line: Line, workId: number, sha256: string) =>
      call<unknown>('file', { method: 'GET', path: `work/${workId}/files/${sha256}`, isBinary: true }, line),
    close: () => pool.close(),
    /** Without waiting for what is under way. */
    destroy: () => pool.destroy(),
  }
}

type Request = { method: 'GET' | 'POST' | 'PUT'; path: string; body?: string; isBinary?: boolean }
type Exchange = { status: number; text: string; retryAfter: number }

async function exchange(
  pool: Pool,
  root: string,
  { method, path, body, isBinary = false }: Request,
  credential: string,
  fate: Fate,
): Promise<Exchange> {
  const answer = await pool.request({
    method,
    path: root + path,
    headers: {
      ...(credential && { authorization: `Bearer ${credential}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body }),
    ...(typeof fate === 'object' && { signal: AbortSignal.timeout(fate.breaksAfterMs) }),
  })
  const retryAfter = Number(answer.headers['retry-after'] ?? 0) || 0
  return { status: answer.statusCode, text: await contentOf(answer, isBinary), retryAfter }
}

async function contentOf({ body, statusCode }: Dispatcher.ResponseData, isBinary: boolean): Promise<string> {
  if (!isBinary || statusCode >= 400) return body.text()
  await body.dump({ limit: Number.POSITIVE_INFINITY })
  return ''
}

function lost(kind: string, measurements: Measurements, retryAfterSeconds?: number): Lost {
  measurements.failed(kind)
  return new Lost(kind, retryAfterSeconds)
}

function kindOf(error: unknown, fate: Fate): string {
  if (typeof fate === 'object') return 'connection broken off'
  const { code, message } = error as { code?: string; message: string }
  return code ?? message
}

function failure(status: number, text: string, retryAfter: number, measurements: Measurements): Lost | Refused {
  const code = codeOf(text)
  const isPassing = status >= 500 || status === 408 || status === 425 || status === 429
  if (isPassing) return lost(`${status} ${code}`, measurements, retryAfter)
  measurements.failed(`${status} ${code}`)
  return new Refused(status, code)
}

function codeOf(text: string): string {
  try {
    const { code } = JSON.parse(text) as { code?: unknown }
    return typeof code === 'string' ? code : 'without a code'
  } catch {
    return 'without a code'
  }
}

function parsed(text: string, measurements: Measurements): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw lost('an answer that is no JSON', measurements)
  }
}
