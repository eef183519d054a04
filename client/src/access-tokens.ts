import { requireSecureAddress } from './address.ts'
import { guardRequests } from './guard-requests.ts'
import { type AnswerLimits, limitAnswer } from './limit-answer.ts'
import { MusterProblem, problemOf } from './problem.ts'
import type { Send } from './retries.ts'

export type ClientCredentials = { clientId: string; clientSecret: string }

export type AccessToken = { accessToken: string; expiresAt: number }

/** Where the client gets its access tokens from. */
export type TokenSource = {
  /** Requests a new token. It is not called again before it has answered. */
  request: () => Promise<AccessToken>
  /** A token of an earlier run. */
  first?: AccessToken | undefined
  /** Called with each new token, for example to keep it for the next run. */
  onToken?: (token: AccessToken) => unknown
}

/** A token is replaced this long before it expires so that it does not expire on its way. */
const marginMs = 30_000

export type TokenRequestOptions = {
  send?: Send
  /** Accepts an address without TLS: everybody in the network can read the secret. */
  insecure?: boolean
  limits?: Partial<AnswerLimits>
}

/** Exchanges client credentials for an access token. */
export async function requestAccessToken(
  address: string,
  { clientId, clientSecret }: ClientCredentials,
  { send = fetch, insecure = false, limits }: TokenRequestOptions = {},
): Promise<AccessToken> {
  requireSecureAddress(address, insecure)
  const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret }
  const askedAt = Date.now()
  const request = new Request(new URL('/api/auth/token', address), { method: 'POST', body: new URLSearchParams(form) })
  const response = limitAnswer(await guardRequests(send, address)(request), limits)
  if (!response.ok) throw await problemOf(response)
  const answer: unknown = await response.json().catch((error: unknown) => {
    throw error instanceof SyntaxError ? noToken(response) : error
  })
  const { access_token: accessToken, expires_in: seconds } = Object(answer) as Record<string, unknown>
  if (!isToken(accessToken) || typeof seconds !== 'number' || !Number.isFinite(seconds)) throw noToken(response)
  return { accessToken, expiresAt: askedAt + seconds * 1_000 }
}

/** A token is sent in a header, which other characters would break. */
const isToken = (value: unknown): value is string => typeof value === 'string' && /^[\x21-\x7e]+$/.test(value)

const noToken = ({ status }: Response) =>
  new MusterProblem({ code: 'InvalidAnswer', detail: 'The service did not answer with an access token.' }, status)

/** Adds the access token to requests. It is renewed before it expires, and once if the service refuses it. */
export function withAccessToken(send: Send, source: TokenSource): Send {
  let current = source.first
  let pending: Promise<AccessToken> | undefined

  /** Requests that need a new token at the same time share one renewal. */
  function renew(): Promise<AccessToken> {
    pending ??= source
      .request()
      .then(async (token) => {
        current = token
        await source.onToken?.(token)
        return token
      })
      .finally(() => {
        pending = undefined
      })
    return pending
  }

  const sendWith = ({ accessToken }: AccessToken, request: Request) => {
    request.headers.set('authorization', `Bearer ${accessToken}`)
    return send(request)
  }

  return async (request) => {
    const token = current && current.expiresAt - marginMs > Date.now() ? current : await renew()
    const response = await sendWith(token, request.clone())
    if (response.status !== 401) return response
    await response.body?.cancel()
    // Another request may have renewed it meanwhile.
    return sendWith(current && current !== token ? current : await renew(), request)
  }
}
