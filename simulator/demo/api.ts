import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'

export type Json = Record<string, unknown>

export type Api = ReturnType<typeof apiOf>

const maxAttempts = 60
const retryMs = 1_000

/** Repeats a request that a busy service could not serve. The idempotency key makes that safe. */
async function fetchPatiently(url: string, init: RequestInit & { headers: Record<string, string> }): Promise<Response> {
  const headers = { ...init.headers, ...(init.method === 'POST' && { 'idempotency-key': randomUUID() }) }
  for (let attempt = 1; ; attempt++) {
    const answer = await fetch(url, { ...init, headers })
    if (answer.status !== 503 || attempt === maxAttempts) return answer
    await answer.body?.cancel()
    await sleep(retryMs)
  }
}

/** A client of the API. It throws on any status other than success. */
export function apiOf(address: string, token: string) {
  const send = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const answer = await fetchPatiently(`${address}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path} failed with ${answer.status}: ${text}`)
    return (text === '' ? {} : JSON.parse(text)) as T
  }
  return {
    get: <T = Json>(path: string) => send<T>('GET', path),
    post: <T = Json>(path: string, body: unknown = {}) => send<T>('POST', path, body),
    put: <T = Json>(path: string, body: unknown) => send<T>('PUT', path, body),
    patch: <T = Json>(path: string, body: unknown) => send<T>('PATCH', path, body),
    delete: <T = Json>(path: string, body?: unknown) => send<T>('DELETE', path, body),
  }
}

/** Requests an access token with a client ID and secret. */
export async function requestAccessToken(address: string, clientId: string, clientSecret: string): Promise<string> {
  const answer = await fetch(`${address}/api/auth/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret }),
  })
  if (!answer.ok)
    throw new Error(`The request for an access token failed with ${answer.status}: ${await answer.text()}`)
  return ((await answer.json()) as { access_token: string }).access_token
}

const pollMs = 50

/** Polls until `find` returns a value. `goal` completes the sentence "Timed out waiting for …". */
export async function until<T>(find: () => Promise<T | undefined>, goal: string, timeoutMs = 300_000): Promise<T> {
  const end = Date.now() + timeoutMs
  for (;;) {
    const found = await find()
    if (found !== undefined) return found
    if (Date.now() > end) throw new Error(`Timed out waiting for ${goal}.`)
    await sleep(pollMs)
  }
}
