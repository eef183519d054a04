import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll } from 'vitest'
import { parseDownloadHost } from '../../src/platform/downloads/download-hosts.ts'

export type ReceivedMessage = { path: string; headers: IncomingHttpHeaders; body: string }

/** A receiver of webhooks that answers when the test lets it. */
export async function startSlowReceiver() {
  const waiting: ServerResponse[] = []
  const received: ReceivedMessage[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (chunk: string) => {
      body += chunk
    })
    request.on('end', () => {
      received.push({ path: request.url ?? '', headers: request.headers, body })
      waiting.push(response)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  afterAll(() => server.close())
  const { port } = server.address() as AddressInfo
  return {
    address: `http://127.0.0.1:${port}`,
    received,
    host: parseDownloadHost('', `127.0.0.1:${port}`, true),
    has: (at: string, text: string) => received.some(({ path, body }) => path === at && body.includes(text)),
    /** Answers everything that waits, and all that comes until the work is done. */
    async answerUntil(work: Promise<unknown>): Promise<void> {
      const timer = setTimeout(function answer() {
        for (const response of waiting.splice(0)) response.writeHead(204).end()
        timer.refresh()
      }, 10)
      await work
      clearTimeout(timer)
    },
  }
}

export type SlowReceiver = Awaited<ReturnType<typeof startSlowReceiver>>
