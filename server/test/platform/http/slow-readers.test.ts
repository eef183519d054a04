import { open, writeFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import Fastify from 'fastify'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { sendFile } from '../../../src/platform/http/send-file.ts'
import { closeSlowReaders } from '../../../src/platform/http/slow-readers.ts'
import { openDownloads } from '../../../src/platform/load/downloads.ts'
import { type AnyOperation, eventStreamType } from '../../../src/platform/operation.ts'
import { temporaryFolder } from '../../database/embedded-postgres/muster.ts'

// More than all buffers between the file and its reader.
const size = 64 * 1024 * 1024

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }))
afterEach(() => void vi.useRealTimers())

/** A service with one place for downloads. */
async function openService() {
  const path = join(await temporaryFolder(), 'large')
  await writeFile(path, Buffer.alloc(size, 'x'))
  const downloads = openDownloads({ max: 1, maxPerNetwork: 0 })
  const app = Fastify()
  closeSlowReaders(app)
  app.get('/json', () => ({ text: 'x'.repeat(size) }))
  const operation = { answerType: eventStreamType } as AnyOperation
  app.get('/events', { config: { operation } }, (_request, reply) => reply.send('x'.repeat(size)))
  app.get('/refused', { config: { operation } }, (_request, reply) => reply.code(401).send('x'.repeat(size)))
  app.get('/file', async (request, reply) => {
    await downloads.begin(request, reply)
    return sendFile(request, reply, { file: await open(path), size, etag: '"x"' })
  })
  const address = new URL(await app.listen({ host: '127.0.0.1', port: 0 }))
  onTestFinished(async () => {
    app.server.closeAllConnections()
    await app.close()
  })
  let connections = 0
  app.server.on('connection', (socket) => {
    connections++
    socket.once('close', () => connections--)
  })
  return { downloads, port: Number(address.port), openConnections: () => connections }
}

type Reader = { socket: Socket; received(): number; isClosed(): boolean }

/** Requests the file, or something else, and reads nothing until the socket is resumed. */
function requestFile(port: number, headers = '', path = '/file'): Reader {
  let [received, isClosed] = [0, false]
  const socket = connect(port, '127.0.0.1')
  socket.on('data', (chunk) => {
    received += chunk.length
  })
  socket.on('close', () => {
    isClosed = true
  })
  socket.on('error', () => {})
  socket.pause()
  socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n${headers}\r\n`)
  onTestFinished(() => void socket.destroy())
  return { socket, received: () => received, isClosed: () => isClosed }
}

const minute = 60_000

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await sleep(10)
}

test('a client that does not read loses its place among the downloads', async () => {
  const { downloads, port } = await openService()
  requestFile(port)
  await until(() => downloads.state().running === 1)
  await sleep(300)
  const waiting = requestFile(port)
  await until(() => downloads.state().waiting === 1)
  waiting.socket.resume()

  // What the buffers have taken counts in the first minute.
  vi.advanceTimersByTime(2 * minute)
  await until(() => waiting.received() > size)

  expect(downloads.state().waiting).toBe(0)
})

test('a client that reads slowly, but reads, gets the whole file', async () => {
  const { port } = await openService()
  const reader = requestFile(port, 'Connection: close\r\n')
  for (let minutes = 0; !reader.isClosed() && minutes < 200; minutes++) {
    const before = reader.received()
    reader.socket.resume()
    await until(() => reader.received() > before + 2_000_000 || reader.isClosed())
    reader.socket.pause()
    await sleep(5)
    vi.advanceTimersByTime(minute)
  }

  expect(reader.received()).toBeGreaterThan(size)
})

test('a client that does not read an answer is disconnected, unless it is a stream of events', async () => {
  const { port, openConnections } = await openService()
  requestFile(port, '', '/json')
  requestFile(port, '', '/events')
  await until(() => openConnections() === 2)
  await sleep(300)

  vi.advanceTimersByTime(2 * minute)
  await until(() => openConnections() === 1)
  vi.advanceTimersByTime(5 * minute)
  await sleep(50)

  expect(openConnections()).toBe(1)
})

test('neither a request for a stream of events behind an answer nor a refused one keeps a slow reader connected', async () => {
  const { downloads, port, openConnections } = await openService()
  const stream = '\r\nGET /events HTTP/1.1\r\nHost: a\r\n'
  requestFile(port, stream)
  requestFile(port, stream, '/json')
  requestFile(port, '', '/refused')
  await until(() => openConnections() === 3 && downloads.state().running === 1)

  for (let minutes = 0; minutes < 50 && openConnections() > 0; minutes++) {
    vi.advanceTimersByTime(minute)
    await sleep(50)
  }

  expect(openConnections()).toBe(0)
  expect(downloads.state()).toEqual({ running: 0, waiting: 0 })
})
