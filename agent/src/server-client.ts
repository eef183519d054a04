import { answers, type Problem } from './answers/answers.ts'
import { parseJson } from './answers/parse-json.ts'
import { InvalidValue, type Reader } from './answers/readers.ts'
import { messageOf } from './expected-error.ts'
import type { Connections } from './http/connections.ts'
import { type Answer, type RequestOptions, sendRequest } from './http/request.ts'
import type {
  Contact,
  Enrolment,
  OsInstallation,
  PatchScan,
  Postponement,
  Progress,
  SectionReport,
  UserChoice,
  WorkResult,
} from './protocol.ts'
import { openWorkTraces, type WorkTraces } from './work/work-traces.ts'

/** The server cannot be reached or cannot answer now. The same request may succeed later. */
export class ServerUnavailable extends Error {
  override name = 'ServerUnavailable'
  readonly retryAfterSeconds: number | undefined

  constructor(message: string, options: { cause?: unknown; retryAfterSeconds?: number | undefined } = {}) {
    super(message, { cause: options.cause })
    this.retryAfterSeconds = options.retryAfterSeconds
  }
}

/** The answer is not one of a Muster server, for example because a proxy has answered, or the server is hostile. */
export class InvalidAnswer extends ServerUnavailable {
  override name = 'InvalidAnswer'

  constructor(reason: string) {
    super(`The response does not come from a Muster server: ${reason}.`)
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

type CallOptions = { signal?: AbortSignal | undefined; headers?: Record<string, string> }

export type ServerClient = ReturnType<typeof serverClient>

const responseTimeoutMs = 60_000

/** Sends the requests of the agent channel, and reads their answers. */
function openRequests(connections: Connections, server: string, credential: string | null) {
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

  /** The answer as `read` returns it; undefined if there is none. */
  async function call<T>(
    method: string,
    path: string,
    body: object,
    read: Reader<T>,
    { signal, headers }: CallOptions = {},
  ): Promise<T | undefined> {
    const limit = AbortSignal.timeout(responseTimeoutMs)
    const answer = await send(path, {
      method,
      body: JSON.stringify(body),
      headers: { ...headers, 'content-type': 'application/json' },
      signal: signal ? AbortSignal.any([signal, limit]) : limit,
    })
    const text = await readText(answer)
    return answer.status === 204 ? undefined : readAnswer(text, read)
  }

  async function ask<T>(
    method: string,
    path: string,
    body: object,
    read: Reader<T>,
    options?: CallOptions,
  ): Promise<T> {
    const answer = await call(method, path, body, read, options)
    if (answer === undefined) throw new InvalidAnswer('it is empty')
    return answer
  }

  async function report(method: string, path: string, body: object, signal?: AbortSignal): Promise<void> {
    await call(method, path, body, () => undefined, { signal })
  }

  return { send, call, ask, report }
}

/** The client of the agent channel. Without a credential, only enrolment works. */
export function serverClient(
  connections: Connections,
  server: string,
  credential: string | null,
  traces: WorkTraces = openWorkTraces(),
) {
  const { send, call, ask, report } = openRequests(connections, server, credential)

  /** A request about a work item, as part of its trace. */
  const askAboutWork = <T>(workId: number, path: string, body: object, read: Reader<T>, signal?: AbortSignal) =>
    ask('POST', `work/${workId}/${path}`, body, read, { signal, headers: traces.headersFor([workId]) })

  return {
    enrol: (body: Enrolment) => ask('POST', 'enrolment', body, answers.enrolled),
    async contact(body: Omit<Contact, 'canStartAtContact'>, signal?: AbortSignal) {
      const reported = (body.results ?? []).map(({ workId }) => workId)
      const headers = traces.headersFor(reported)
      const answer = await ask('POST', 'contact', body, answers.contactAnswer, { signal, headers })
      traces.delete(reported)
      traces.add(answer)
      return answer
    },
    /** The wake connection; the caller reads its lines. */
    wake: (signal: AbortSignal) => send('wake', { signal }),
    start: (workId: number, body: { attempt: number; runId: string }, signal?: AbortSignal) =>
      askAboutWork(workId, 'start', body, answers.startedWork, signal),
    progress: (workId: number, body: Progress, signal: AbortSignal) =>
      askAboutWork(workId, 'progress', body, answers.progressAnswer, signal),
    async result(workId: number, body: WorkResult, signal?: AbortSignal) {
      const answer = await askAboutWork(workId, 'result', body, answers.resultAnswer, signal)
      traces.delete([workId])
      return answer
    },
    postpone: (workId: number, body: Postponement) =>
      askAboutWork(workId, 'postponement', body, answers.postponementAnswer),
    /** What users of the computer may see. */
    software: async (signal: AbortSignal) => {
      const answer = await send('software', { signal })
      return readAnswer(await readText(answer), answers.computerSoftware)
    },
    /** The response with the icon of a package; the caller reads its body. */
    icon: (packageId: string, signal: AbortSignal) =>
      send(`software/${encodeURIComponent(packageId)}/icon`, { signal }),
    userChoices: (choices: UserChoice[], signal?: AbortSignal) =>
      ask('POST', 'user-choices', { choices }, answers.userChoicesAnswer, { signal }),
    osInstallation: (body: OsInstallation) => report('POST', 'os-installation', body),
    putInventory: (sections: Record<string, SectionReport>, signal?: AbortSignal) =>
      report('PUT', 'inventory', { sections }, signal),
    putSection: (name: string, body: SectionReport, signal?: AbortSignal) =>
      report('PUT', `inventory/${encodeURIComponent(name)}`, body, signal),
    /** An older server answers without a receipt. */
    putPatchScan: (body: PatchScan, signal?: AbortSignal) =>
      call('PUT', 'patch-scan', body, answers.patchScanReceipt, { signal }),
    /** The response of a download; the caller reads its body. */
    file: (workId: number, sha256: string, headers: Record<string, string>, signal: AbortSignal) =>
      send(`work/${workId}/files/${sha256}`, { headers: { ...headers, ...traces.headersFor([workId]) }, signal }),
  }
}

/** What the agent uses of an answer. Everything else of the agent sees only this. */
export function readAnswer<T>(text: string, read: Reader<T>): T {
  try {
    return read(parseJson(text), '')
  } catch (error) {
    if (error instanceof InvalidValue) throw new InvalidAnswer(error.message)
    throw new InvalidAnswer('it is not JSON')
  }
}

async function readText(answer: Answer): Promise<string> {
  return answer.text().catch((error: unknown) => {
    throw new ServerUnavailable(`The response of the server was cut off: ${messageOf(error)}`, { cause: error })
  })
}

async function refusal(answer: Answer): Promise<ServerUnavailable | Refused> {
  const problem = await readProblem(answer)
  const code = problem.code ?? answer.statusText.slice(0, 100)
  const message = [...new Set([problem.message, problem.detail])].filter(Boolean).join(' ') || 'no reason given'
  if (answer.status < 500 && ![408, 425, 429].includes(answer.status)) return new Refused(answer.status, code, message)
  const { retryAfterSeconds } = answer
  return new ServerUnavailable(`The server answered ${answer.status} ${code}: ${message}`, { retryAfterSeconds })
}

/** Texts of a problem, as far as they are texts. */
async function readProblem(answer: Answer): Promise<Problem> {
  try {
    return answers.problem(parseJson(await answer.text()), '')
  } catch {
    return {}
  }
}
