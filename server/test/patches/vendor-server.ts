import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterAll } from 'vitest'

type Certificate = { cert: string; key: string }

/**
 * The download server of a vendor on this machine, with a certificate for `localhost` or without TLS. It answers each path
 * as the test says, and counts the requests.
 */
export async function openVendorServer(certificate?: Certificate) {
  const answers = new Map<string, RequestListener>()
  const requests = new Map<string, number>()
  const listener: RequestListener = (request, response) => {
    const path = request.url ?? ''
    requests.set(path, (requests.get(path) ?? 0) + 1)
    const answer = answers.get(path)
    if (answer) answer(request, response)
    else response.writeHead(404).end()
  }
  const server = certificate ? createSecureServer(certificate, listener) : createServer(listener)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  const host = `${certificate ? 'localhost' : '127.0.0.1'}:${(server.address() as AddressInfo).port}`
  return {
    host,
    /** Sets the answer at a path and returns its address. */
    serve(path: string, answer: string | RequestListener): string {
      answers.set(path, typeof answer === 'string' ? (_request, response) => response.end(answer) : answer)
      return `${certificate ? 'https' : 'http'}://${host}${path}`
    },
    requestsTo: (path: string) => requests.get(path) ?? 0,
  }
}
