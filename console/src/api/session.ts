import { type components, problemOf, unreachable } from '@muster/client'

type SessionAnswer = {
  principal: { id: number; kind: 'local' | 'user'; subjectId: string; displayName: string; roles: string[] }
  provider: string | null
  csrfToken: string
  idleExpiresAtUtc: string
  expiresAtUtc: string
  /** Above how many computers a person types their number. */
  confirmCountAbove: number
}

/** A session with its times converted to the clock of this computer, which may differ from that of the service. */
export type Session = SessionAnswer & { idleMilliseconds: number; endsAt: number }

export type Features = components['schemas']['AdminFeatures']

export const sessionKey = ['session']

/**
 * Emits `ended` when the service no longer knows the session, `used` whenever a request succeeded with it, and `renewed`
 * when the person has signed in again.
 */
export const sessionEvents = new EventTarget()

let current: Session | undefined

export function readFeatures(): Promise<Features> {
  return request('/admin/features').then((response) => response.json() as Promise<Features>)
}

export function readSession(): Promise<Session> {
  return request('/admin/session').then(remembered)
}

export function signIn(clientId: string, clientSecret: string): Promise<Session> {
  return request('/admin/session', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ clientId, clientSecret }),
  }).then(remembered)
}

export function signInByLink(token: string): Promise<Session> {
  return request('/admin/session/link', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
  }).then(remembered)
}

export const signInAddress = (provider: string) => `/admin/sign-in/${encodeURIComponent(provider)}`

/** Also ends the session at the identity provider, which requires leaving the page. */
export const signOutAddress = '/admin/logout'

/** Sends an API request with the CSRF token, which proves that it comes from the console. The client throws problems. */
export async function sendInSession(request: Request): Promise<Response> {
  const again = request.clone()
  let response = await fetchOrFail(withToken(request))
  if (response.status === 403 && (await problemOf(response)).code === 'CsrfTokenInvalid' && (await tokenWasRenewed()))
    response = await fetchOrFail(withToken(again))
  sessionEvents.dispatchEvent(new Event(response.status === 401 ? 'ended' : 'used'))
  return response
}

function withToken(request: Request): Request {
  if (current) request.headers.set('x-csrf-token', current.csrfToken)
  return request
}

/** Another tab may have signed in again. The request is repeated only for the same person. */
async function tokenWasRenewed(): Promise<boolean> {
  const before = current
  const renewed = await readSession().catch(() => undefined)
  return renewed !== undefined && renewed.principal.id === before?.principal.id
}

async function remembered(response: Response): Promise<Session> {
  const answer = (await response.json()) as SessionAnswer
  const answeredAt = Date.parse(response.headers.get('date') ?? '') || Date.now()
  current = {
    ...answer,
    idleMilliseconds: Date.parse(answer.idleExpiresAtUtc) - answeredAt,
    endsAt: Date.now() + Date.parse(answer.expiresAtUtc) - answeredAt,
  }
  sessionEvents.dispatchEvent(new Event('used'))
  return current
}

async function request(address: string, init?: RequestInit): Promise<Response> {
  const response = await fetchOrFail(new Request(address, init))
  if (!response.ok) throw await problemOf(response)
  return response
}

async function fetchOrFail(request: Request): Promise<Response> {
  try {
    return await fetch(request)
  } catch (error) {
    throw unreachable(undefined, error)
  }
}
