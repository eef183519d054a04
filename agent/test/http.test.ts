import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { openConnections } from '../src/http/connections.ts'
import { type RequestOptions, sendRequest } from '../src/http/request.ts'
import { FakeServer } from './fake-server.ts'
import { openWorld } from './world.ts'

/** A server that answers in this way, the number of its connections, and a client. */
async function openExchange(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const server = createServer((request, response) => {
    request.resume()
    answer(request, response)
  })
  let connectionCount = 0
  server.on('connection', () => {
    connectionCount += 1
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const connections = openConnections()
  onTestFinished(() => {
    connections.http.destroy()
    server.closeAllConnections()
    server.close()
  })
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  return {
    connectionCount: () => connectionCount,
    send: (options?: RequestOptions) => sendRequest(connections, url, options),
  }
}

test('requests one after the other share a connection', async () => {
  const { connectionCount, send } = await openExchange((_, response) => response.end('hello'))

  const texts = [await (await send()).text(), await (await send({ method: 'POST', body: 'ü' })).text()]

  expect(texts).toEqual(['hello', 'hello'])
  expect(connectionCount()).toBe(1)
})

test('a request over a kept connection that the server has closed is sent again over another one', async () => {
  const answered = new Set<unknown>()
  const { connectionCount, send } = await openExchange(({ socket }, response) => {
    if (answered.has(socket)) return void socket.destroy()
    answered.add(socket)
    response.end('hello')
  })

  for (let requests = 0; requests < 3; requests++) expect(await (await send()).text()).toBe('hello')

  expect(connectionCount()).toBe(3)
})

test('a request over a new connection is not repeated when the server closes it', async () => {
  const { connectionCount, send } = await openExchange(({ socket }) => void socket.destroy())

  await expect(send()).rejects.toThrow('socket hang up')
  expect(connectionCount()).toBe(1)
})

test('an abort ends the request, and later the response while it is read, with its reason', async () => {
  const { send } = await openExchange(({ url, method }, response) => {
    if (method === 'POST') response.write(`the beginning of ${url}`)
  })
  const [before, within] = [new AbortController(), new AbortController()]
  const waiting = send({ signal: before.signal })
  const reading = (await send({ method: 'POST', signal: within.signal })).text()

  before.abort(new Error('too long'))
  within.abort(new Error('too slow'))

  await expect(waiting).rejects.toThrow('too long')
  await expect(reading).rejects.toThrow('too slow')
  await expect(send({ signal: before.signal })).rejects.toThrow('too long')
})

test.each([
  ['7', 7],
  ['soon', undefined],
  ['', undefined],
  ['Wed, 21 Oct 2015 07:28:00 GMT', 0],
])('Retry-After: %j means %j seconds', async (value, seconds) => {
  const { send } = await openExchange((_, response) => response.writeHead(503, { 'retry-after': value }).end())

  expect(await send()).toMatchObject({ status: 503, isSuccess: false, retryAfterSeconds: seconds })
})

test('a redirect is not followed, because it could carry the credential to another host', async () => {
  const { server, runOnce } = await openWorld()
  const other = await new FakeServer().open()
  onTestFinished(() => other.close())
  server.interfere = ({ path }, answer) => {
    answer.writeHead(307, { location: `${other.url}${path}` }).end()
    return true
  }

  const { code, output } = await runOnce()

  expect({ code, output }).toMatchObject({ code: 1, output: expect.stringContaining('redirects are not followed') })
  expect(other.calls).toEqual([])
})

test('a download waits as long as the server asks for, and a depot after the server does not shorten that', async () => {
  const { server, runOnce } = await openWorld()
  const asked: number[] = []
  const workId = server.give({ files: { a: 'content' }, depotsAfterServer: [{ url: 'http://127.0.0.1:9' }] })
  server.interfere = ({ path }, answer) => {
    if (!path.includes('/files/')) return false
    asked.push(performance.now())
    if (asked.length > 1) return false
    answer.writeHead(503, { 'retry-after': '3' }).end('{}')
    return true
  }

  await runOnce()

  expect(server.resultOf(workId)).toMatchObject({ status: 'Success' })
  expect((asked[1] ?? 0) - (asked[0] ?? 0)).toBeGreaterThan(2_900)
})
