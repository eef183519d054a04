import { Agent, request } from 'node:http'

export type Answer = { status: number; retryAfterSeconds: number | undefined; body: unknown }

/** No whole answer arrived: the connection failed, or the client did not wait any longer. */
export class NoAnswer extends Error {
  override name = 'NoAnswer'
}

export type Sent = { method: string; path: string; headers: Record<string, string>; body?: object }

export type HttpClient = {
  keepsConnection: boolean
  send(sent: Sent): Promise<Answer>
  /** The port of the connection in use, by which the process that serves it can be found. */
  localPort(): number | undefined
  close(): void
}

export type ClientOptions = { address: string; timeoutMs: number; keepsConnection: boolean }

/** A client that sends one request after the other, on one connection or each on a new one. */
export function openHttpClient({ address, timeoutMs, keepsConnection }: ClientOptions): HttpClient {
  const agent = new Agent({ keepAlive: keepsConnection, maxSockets: 1 })
  let localPort: number | undefined
  return {
    keepsConnection,
    send: ({ method, path, headers, body }) =>
      new Promise((resolve, reject) => {
        const content = body && JSON.stringify(body)
        const sent = request(address + path, {
          agent,
          method,
          headers: { ...headers, ...(content && { 'content-type': 'application/json' }) },
          signal: AbortSignal.timeout(timeoutMs),
        })
        const fail = (error: Error & { code?: string }) =>
          reject(new NoAnswer(error.name === 'AbortError' ? 'timeout' : (error.code ?? error.message)))
        sent.on('error', fail)
        sent.on('socket', (socket) => {
          if (socket.connecting) socket.once('connect', () => (localPort = socket.localPort))
          else localPort = socket.localPort
        })
        sent.on('response', (response) => {
          let text = ''
          response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
          response.on('error', fail)
          response.on('end', () => {
            const retryAfter = Number(response.headers['retry-after'])
            resolve({
              status: response.statusCode ?? 0,
              retryAfterSeconds: Number.isFinite(retryAfter) ? retryAfter : undefined,
              body: parseBody(text),
            })
          })
        })
        sent.end(content)
      }),
    localPort: () => localPort,
    close: () => agent.destroy(),
  }
}

function parseBody(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
