import { setTimeout as sleep } from 'node:timers/promises'
import { createMusterClient, isProblem, requestAccessToken as requestToken } from '@muster/client'

export type Json = Record<string, unknown>

export type Api = ReturnType<typeof apiOf>

/** Nobody else changes what the demo changes, so every change may be repeated while the service is busy. */
const retry = { isRepeatable: () => true }

/** A client of the API. It throws on any status other than success. */
export function apiOf(address: string, token: string) {
  const client = createMusterClient({ address, credentials: { accessToken: token }, retry })
  const request = async <T>(method: string, path: string, content: RequestInit = {}): Promise<T> => {
    const answer = await client
      .send(new Request(`${address}${path}`, { method, ...content }))
      .catch((error: unknown) => {
        throw isProblem(error)
          ? new Error(`${method} ${path} failed with ${error.status} ${error.code}: ${error.message}`, { cause: error })
          : error
      })
    const text = await answer.text()
    return (text === '' ? {} : JSON.parse(text)) as T
  }
  const send = <T>(method: string, path: string, body?: unknown) =>
    request<T>(
      method,
      path,
      body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } },
    )
  return {
    get: <T = Json>(path: string) => send<T>('GET', path),
    post: <T = Json>(path: string, body: unknown = {}) => send<T>('POST', path, body),
    put: <T = Json>(path: string, body: unknown) => send<T>('PUT', path, body),
    patch: <T = Json>(path: string, body: unknown) => send<T>('PATCH', path, body),
    /** Sends the first bytes of an upload. */
    sendBytes: (path: string, bytes: Buffer<ArrayBuffer>) =>
      request('PATCH', path, {
        body: bytes,
        headers: { 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' },
      }),
    delete: <T = Json>(path: string, body?: unknown) => send<T>('DELETE', path, body),
  }
}

/** Requests an access token with a client ID and secret. */
export async function requestAccessToken(address: string, clientId: string, clientSecret: string): Promise<string> {
  const { accessToken } = await requestToken(address, { clientId, clientSecret })
  return accessToken
}

const [minPauseMs, maxPauseMs] = [50, 1_000]

/**
 * Polls until `find` returns a value, less and less often: what it waits for would otherwise take turns with the questions.
 * `goal` completes the sentence "Timed out waiting for …".
 */
export async function until<T>(find: () => Promise<T | undefined>, goal: string, timeoutMs = 300_000): Promise<T> {
  const start = Date.now()
  for (;;) {
    const found = await find()
    if (found !== undefined) return found
    const waitedMs = Date.now() - start
    if (waitedMs > timeoutMs) throw new Error(`Timed out waiting for ${goal}.`)
    await sleep(Math.min(Math.max(minPauseMs, waitedMs / 4), maxPauseMs))
  }
}
