import { setTimeout as sleep } from 'node:timers/promises'

export type Api = ReturnType<typeof apiOf>

/** Calls the API at an address. Any answer but a success is an error. */
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

const patienceMs = 60_000
const pollMs = 100

/** Waits for what happens in the background. */
export async function until<T>(look: () => Promise<T | undefined>, what: string): Promise<T> {
  for (const end = Date.now() + patienceMs; Date.now() < end; await sleep(pollMs)) {
    const found = await look()
    if (found !== undefined) return found
  }
  throw new Error(`It took too long: ${what}.`)
}
