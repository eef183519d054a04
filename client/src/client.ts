import createClient, { type Client } from 'openapi-fetch'
import type { PathsWithMethod } from 'openapi-typescript-helpers'
import {
  type AccessToken,
  type ClientCredentials,
  requestAccessToken,
  type TokenSource,
  withAccessToken,
} from './access-tokens.ts'
import { requireSecureAddress } from './address.ts'
import type { Answer } from './answers.ts'
import { type FollowOptions, followEvents, type MusterEvent } from './follow-events.ts'
import { guardRequests } from './guard-requests.ts'
import { type AnswerLimits, limitAnswer } from './limit-answer.ts'
import { pagesOf } from './pages.ts'
import { fillPath } from './path-parameters.ts'
import { type MusterProblem, problemOf } from './problem.ts'
import { type RetryOptions, type Send, withRetries } from './retries.ts'
import type { paths } from './types.ts'

type Credentials = ClientCredentials | TokenSource | { accessToken: string }

export type ClientOptions = {
  /** The address of the service, such as `https://muster.example.org`. */
  address: string
  /** Client ID and secret of a local principal, another source of tokens, or one token. Without it, requests carry no token. */
  credentials?: Credentials
  /** Sends each request; `fetch` by default. A browser session adds its own headers here. */
  send?: Send
  /** Accepts an address without TLS that is not on this computer: everybody in the network can read the credentials. */
  insecure?: boolean
  /** How large answers may be, and how long they may take. Streams of events have no limits. */
  limits?: Partial<AnswerLimits>
  /** How requests are repeated; `false` if the caller does that. */
  retry?: RetryOptions | false
  /** Interrupts all calls of this client. */
  signal?: AbortSignal
}

/** The paths of lists that come in pages, with the parameters and the items of each. */
type ListPath = {
  [Path in PathsWithMethod<paths, 'get'>]: AnswerTo<Path> extends { items: unknown[]; totalCount: number }
    ? Path
    : never
}[PathsWithMethod<paths, 'get'>]

type Get<Path extends keyof paths> = NonNullable<paths[Path]['get']>

type AnswerTo<Path extends keyof paths> =
  Get<Path> extends { responses: { 200: { content: { 'application/json': infer Body } } } } ? Body : never

type ItemOf<Path extends ListPath> = AnswerTo<Path> extends { items: (infer Item)[] } ? Item : never

type ParametersOf<Path extends ListPath> = Pick<Get<Path>['parameters'], 'path' | 'query'>

export type MusterClient = Client<paths> & {
  address: string
  /** Sends any request with the token and the retries of this client. Failures are thrown as problems. */
  send: Send
  /** The same for files and streams: the size of the answer is not limited. */
  stream: Send
  /** All items of a list: `for await (const computer of client.pages('/api/fleet/computers'))`. */
  pages<Path extends ListPath>(
    path: Path,
    params?: ParametersOf<Path>,
    options?: { signal?: AbortSignal },
  ): AsyncGenerator<ItemOf<Path>, void, undefined>
  /** The events as they happen, without gaps, until the signal ends them. */
  follow(options?: FollowOptions): AsyncGenerator<MusterEvent>
}

/** A client of the API, typed by its OpenAPI document. A failed call throws a `MusterProblem`. */
export function createMusterClient({
  address,
  credentials,
  send: sendOnce = fetch,
  insecure = false,
  limits,
  retry,
  signal,
}: ClientOptions): MusterClient {
  requireSecureAddress(address, insecure)
  const guarded = guardRequests(sendOnce, address)
  const patient = retry === false ? guarded : withRetries(guarded, retry)
  const requestToken = (secret: ClientCredentials) =>
    requestAccessToken(address, secret, { send: patient, insecure, ...(limits && { limits }) })
  const authorized = credentials ? withAccessToken(patient, tokenSource(credentials, requestToken)) : patient
  const stream: Send = async (request) => {
    const response = await authorized(signal ? interruptible(request, signal) : request)
    if (response.status >= 400) throw await readProblem(response, limits)
    return response
  }
  const send: Send = async (request) => limitAnswer(await stream(request), limits)
  const api = createClient<paths>({ baseUrl: address, fetch: send, pathSerializer: fillPath })
  return {
    ...api,
    address,
    send,
    stream,
    pages: (path, params = {}, options = {}) =>
      pagesOf((page) => {
        const query = { ...(params as { query?: object }).query, ...page }
        // The parameters fit the path, but not in a way that the compiler can follow through the generic client.
        return api.GET(path as never, { params: { ...params, query }, ...options } as never) as Promise<Answer<never>>
      }),
    follow: (options = {}) => followEvents(address, stream, options),
  }
}

const interruptible = (request: Request, signal: AbortSignal) =>
  new Request(request, { signal: AbortSignal.any([request.signal, signal]) })

const maxProblemBytes = 1024 * 1024

/** The problem of a response, whose rest is not read. */
async function readProblem(response: Response, limits: Partial<AnswerLimits> = {}): Promise<MusterProblem> {
  const limited = limitAnswer(response, { ...limits, maxBytes: maxProblemBytes })
  const problem = await problemOf(limited)
  await limited.body?.cancel().catch(() => {})
  return problem
}

function tokenSource(
  credentials: Credentials,
  requestToken: (credentials: ClientCredentials) => Promise<AccessToken>,
): TokenSource {
  if ('request' in credentials) return credentials
  if ('accessToken' in credentials) {
    const token = { ...credentials, expiresAt: Number.POSITIVE_INFINITY }
    return { first: token, request: async () => token }
  }
  return { request: () => requestToken(credentials) }
}
