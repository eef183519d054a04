import { messageOf } from './expected-error.ts'
import type { Connections } from './http/connections.ts'
import { type Answer, type RequestOptions, sendRequest } from './http/request.ts'
import type {
  Contact,
  ContactAnswer,
  Enrolled,
  Enrolment,
  OsInstallation,
  PatchScan,
  PatchScanReceipt,
  Progress,
  ProgressAnswer,
  SectionReport,
  StartedWork,
  WorkResult,
} from './protocol.ts'

/** The server cannot be reached or cannot answer now. The same request may succeed later. */
export class ServerUnavailable extends Error {
  override name = 'ServerUnavailable'
  readonly retryAfterSeconds: number | undefined

  constructor(message: string, options: { cause?: unknown; retryAfterSeconds?: number | undefined } = {}) {
    super(message, { cause: options.cause })
    this.retryAfterSeconds = options.retryAfterSeconds
  }
}

/** The server has understood the request and refuses it. */
export class Refused extends Error {
  override name = 'Refused'
  readonly status: number
  readonly code: string

  constructor(status: number, code: string, message: string) {
    super(`The server answered ${status} ${code}: ${message}`)
    this.status = status
    this.code = code
  }
}

/** The agent does not have the work item, or no longer. */
export function isLeaseLost(error: unknown): error is Refused {
  return error instanceof Refused && (error.code === 'WorkNotHeld' || error.code === 'WorkNotFound')
}

export type ServerClient = ReturnType<typeof serverClient>

const responseTimeoutMs = 60_000

/** The client of the agent channel. Without a credential, only enrolment works. */
export function serverClient(connections: Connections, server: string, credential: string | null) {
  const base = server.replace(/\/*$/, '/')

  async function send(path: string, options: RequestOptions): Promise<Answer> {
    const authorization = credential ? { authorization: `Bearer ${credential}` } : {}
    const request = { ...options, headers: { ...options.headers, ...authorization } }
    const url = new URL(`agent/v1/${path}`, base)
    const answer = await sendRequest(connections, url, request).catch((error: unknown) => {
      throw new ServerUnavailable(`The server ${server} cannot be reached: ${messageOf(error)}`, { cause: error })
    })
    if (answer.isSuccess) return answer
    throw await refusal(answer)
  }

  async function call<T>(method: string, path: string, body: object, signal?: AbortSignal): Promise<T> {
    const limit = AbortSignal.timeout(responseTimeoutMs)
    const answer = await send(path, {
      method,
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
      signal: signal ? AbortSignal.any([signal, limit]) : limit,
    })
    const text = await answer.text().catch((error: unknown) => {
      throw new ServerUnavailable(`The response of the server was cut off: ${messageOf(error)}`, { cause: error })
    })
    if (answer.status === 204) return undefined as T
    return parsed<T>(text)
  }

  return {
    enrol: (body: Enrolment) => call<Enrolled>('POST', 'enrolment', body),
    contact: (body: Omit<Contact, 'canStartAtContact'>, signal?: AbortSignal) =>
      call<ContactAnswer>('POST', 'contact', body, signal),
    start: (workId: number, body: { attempt: number; runId: string }, signal?: AbortSignal) =>
      call<StartedWork>('POST', `work/${workId}/start`, body, signal),
    progress: (workId: number, body: Progress, signal: AbortSignal) =>
      call<ProgressAnswer>('POST', `work/${workId}/progress`, body, signal),
    result: (workId: number, body: WorkResult, signal?: AbortSignal) =>
      call<{ accepted: boolean }>('POST', `work/${workId}/result`, body, signal),
    postpone: (workId: number, body: { attempt: number; untilUtc: string }) =>
      call<{ remaining: number }>('POST', `work/${workId}/postponement`, body),
    osInstallation: (body: OsInstallation) => call<void>('POST', 'os-installation', body),
    putInventory: (sections: Record<string, SectionReport>, signal?: AbortSignal) =>
      call<void>('PUT', 'inventory', { sections }, signal),
    putSection: (name: string, body: SectionReport, signal?: AbortSignal) =>
      call<void>('PUT', `inventory/${encodeURIComponent(name)}`, body, signal),
    /** An older server answers without a receipt. */
    putPatchScan: (body: PatchScan, signal?: AbortSignal) =>
      call<PatchScanReceipt | undefined>('PUT', 'patch-scan', body, signal),
    /** The response of a download; the caller reads its body. */
    file: (workId: number, sha256: string, headers: Record<string, string>, signal: AbortSignal) =>
      send(`work/${workId}/files/${sha256}`, { headers, signal }),
  }
}

function parsed<T>(text: string): T {
  try {
    return JSON.parse(text) as T
  } catch {
    throw new ServerUnavailable('The response does not come from a Muster server: it is not JSON.')
  }
}

async function refusal(answer: Answer): Promise<ServerUnavailable | Refused> {
  const problem = await readProblem(answer)
  const code = typeof problem.code === 'string' ? problem.code : answer.statusText
  const reasons = [problem.message, problem.detail].filter((part) => typeof part === 'string' && part !== '')
  const message = [...new Set(reasons)].join(' ') || 'no reason given'
  if (answer.status < 500 && ![408, 425, 429].includes(answer.status)) return new Refused(answer.status, code, message)
  const { retryAfterSeconds } = answer
  return new ServerUnavailable(`The server answered ${answer.status} ${code}: ${message}`, { retryAfterSeconds })
}

async function readProblem(answer: Answer): Promise<{ code?: unknown; message?: unknown; detail?: unknown }> {
  try {
    return JSON.parse(await answer.text()) ?? {}
  } catch {
    return {}
  }
}
