import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll } from 'vitest'

export type ReceivedRequest = { method: string; path: string; text: string }

/** Answers a request, in whatever way. */
export type Behaviour = (request: IncomingMessage, response: ServerResponse, body: string) => void

export type FakeService = {
  address: string
  /** How requests are answered from now on. */
  behaviour: Behaviour
  /** The requests with all that they contained. */
  received: ReceivedRequest[]
}

/** A service on loopback that does what a test wants. */
export async function startFakeService(behaviour: Behaviour): Promise<FakeService> {
  const server = createServer(async (request, response) => {
    response.on('error', () => {})
    let body = ''
    for await (const part of request) body += part
    const { method = '', url = '', headers } = request
    service.received.push({ method, path: url, text: `${url}\n${JSON.stringify(headers)}\n${body}` })
    service.behaviour(request, response, body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const service: FakeService = { address: `http://127.0.0.1:${port}`, behaviour, received: [] }
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  return service
}

export function sendJson(response: ServerResponse, value: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value))
}
