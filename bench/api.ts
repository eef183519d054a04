import { setTimeout as sleep } from 'node:timers/promises'

export type Api = ReturnType<typeof apiOf>

/** A client of the API. It throws on any status other than success. */
export function apiOf(address: string, headers: Record<string, string>) {
  async function send<T>(method: string, path: string, body?: object): Promise<T> {
    const answer = await fetch(address + path, {
      method,
      headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
    return (text === '' ? undefined : JSON.parse(text)) as T
  }
  return {
    get: <T>(path: string) => send<T>('GET', path),
    post: <T = unknown>(path: string, body: object = {}) => send<T>('POST', path, body),
    put: <T = unknown>(path: string, body: object) => send<T>('PUT', path, body),
    patch: <T = unknown>(path: string, body: object) => send<T>('PATCH', path, body),
  }
}

const timeoutMs = 60_000
const pollMs = 100

/** Polls until `find` returns a value. `goal` completes the sentence "Timed out waiting for …". */
export async function until<T>(find: () => Promise<T | undefined>, goal: string): Promise<T> {
  for (const end = Date.now() + timeoutMs; Date.now() < end; await sleep(pollMs)) {
    const found = await find()
    if (found !== undefined) return found
  }
  throw new Error(`Timed out waiting for ${goal}.`)
}
