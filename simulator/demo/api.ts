import { setTimeout as sleep } from 'node:timers/promises'

export type Json = Record<string, unknown>

export type Api = ReturnType<typeof apiOf>

/** Calls the API as an integrator does. Any answer but a success is an error. */
export function apiOf(address: string, token: string) {
  const send = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const answer = await fetch(`${address}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path} was answered with ${answer.status}: ${text}`)
    return (text === '' ? {} : JSON.parse(text)) as T
  }
  return {
    get: <T = Json>(path: string) => send<T>('GET', path),
    post: <T = Json>(path: string, body: unknown = {}) => send<T>('POST', path, body),
    put: <T = Json>(path: string, body: unknown) => send<T>('PUT', path, body),
    patch: <T = Json>(path: string, body: unknown) => send<T>('PATCH', path, body),
  }
}

/** An access token for a client id and its secret. */
export async function accessToken(address: string, clientId: string, clientSecret: string): Promise<string> {
  const answer = await fetch(`${address}/api/auth/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret }),
  })
  if (!answer.ok) throw new Error(`The token was refused with ${answer.status}: ${await answer.text()}`)
  return ((await answer.json()) as { access_token: string }).access_token
}

const pollMs = 50

/** Waits for what a background job brings about. */
export async function until<T>(look: () => Promise<T | undefined>, what: string, patienceMs = 60_000): Promise<T> {
  const end = Date.now() + patienceMs
  for (;;) {
    const found = await look()
    if (found !== undefined) return found
    if (Date.now() > end) throw new Error(`It took too long: ${what}.`)
    await sleep(pollMs)
  }
}
