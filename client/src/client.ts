import createClient, { type Client } from 'openapi-fetch'
import type { PathsWithMethod } from 'openapi-typescript-helpers'
import { type ClientCredentials, requestAccessToken, type TokenSource, withAccessToken } from './access-tokens.ts'
import type { Answer } from './answers.ts'
import { type FollowOptions, followEvents, type MusterEvent } from './follow-events.ts'
import { pagesOf } from './pages.ts'
import { problemOf } from './problem.ts'
import { type RetryOptions, type Send, withRetries } from './retries.ts'
import type { paths } from './types.ts'

type Credentials = ClientCredentials | TokenSource | { accessToken: string }

export type ClientOptions = {
  /** The address of the service, such as `https://muster.example.org`. */
  address: string
  /** Client ID and secret of a local principal, another source of tokens, or one token. Without, requests have none. */
  credentials?: Credentials
  /** Sends each request; `fetch` by default. A browser session adds its own headers here. */
  send?: Send
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
  retry,
  signal,
}: ClientOptions): MusterClient {
  const patient = retry === false ? sendOnce : withRetries(sendOnce, retry)
  const authorized = credentials ? withAccessToken(patient, tokenSource(address, credentials, patient)) : patient
  const send: Send = async (request) => {
    const response = await authorized(signal ? interruptible(request, signal) : request)
    if (response.status >= 400) throw await problemOf(response)
    return response
  }
  const api = createClient<paths>({ baseUrl: address, fetch: send })
  return {
    ...api,
    address,
    send,
    pages: (path, params = {}, options = {}) =>
      pagesOf((page) => {
        const query = { ...(params as { query?: object }).query, ...page }
        // The parameters fit the path, but not in a way that the compiler can follow through the generic client.
        return api.GET(path as never, { params: { ...params, query }, ...options } as never) as Promise<Answer<never>>
      }),
    follow: (options = {}) => followEvents(address, send, options),
  }
}

const interruptible = (request: Request, signal: AbortSignal) =>
  new Request(request, { signal: AbortSignal.any([request.signal, signal]) })

function tokenSource(address: string, credentials: Credentials, send: Send): TokenSource {
  if ('request' in credentials) return credentials
  if ('accessToken' in credentials) {
    const token = { ...credentials, expiresAt: Number.POSITIVE_INFINITY }
    return { first: token, request: async () => token }
  }
  return { request: () => requestAccessToken(address, credentials, send) }
}
