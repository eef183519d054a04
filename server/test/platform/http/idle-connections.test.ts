import { once } from 'node:events'
import { createServer, get } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { limitIdleConnections } from '../../../src/platform/http/idle-connections.ts'
import { until } from '../../database/embedded-postgres/muster.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] }))
afterEach(() => void vi.useRealTimers())

/** A server for 40 connections whose answer to `/open` never ends. */
async function openServer(trustedProxies: readonly string[] = []) {
  const server = createServer((request, response) => {
    if (request.url === '/open') response.write('begun')
    else response.end('answer')
  })
  server.maxConnections = 40
  ;(server as { dropMaxConnection?: boolean }).dropMaxConnection = true
  const stop = limitIdleConnections([server], trustedProxies, () => 40)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    stop()
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo

  async function open(localAddress: string, sent = ''): Promise<Socket> {
    const socket = connect({ port, host: '127.0.0.1', localAddress })
    socket.on('error', () => {})
    onTestFinished(() => void socket.destroy())
    await once(socket, 'connect')
    socket.resume().write(sent)
    return socket
  }
  const openMany = (count: number, address: string, sent?: string) =>
    Promise.all(Array.from({ length: count }, () => open(address, sent)))
  const request = (localAddress: string) =>
    new Promise<number | undefined>((resolve) => {
      get({ port, host: '127.0.0.1', localAddress, agent: false }, ({ statusCode }) => resolve(statusCode)).on(
        'error',
        () => resolve(undefined),
      )
    })
  return { open, openMany, request }
}

const openCount = (sockets: readonly Socket[]) => sockets.filter(({ closed }) => !closed).length

/** Waits until the server has closed all of these connections but this many, and what it has closed besides shows. */
async function untilOpen(sockets: readonly Socket[], count: number): Promise<void> {
  await until(() => (openCount(sockets) <= count ? true : undefined), 6_000)
  await sleep(20)
}

test.each([
  ['idle', ''],
  ['half-open', 'GET / HTTP/1.1\r\nhost: a\r\nx: '],
])('%s connections of one machine do not keep others out', async (_, sent) => {
  const { openMany, request } = await openServer()
  const attackers = await openMany(40, '127.0.0.2', sent)
  const before = await request('127.0.0.3')

  vi.advanceTimersByTime(3_000)
  await untilOpen(attackers, 10)

  expect(before).toBeUndefined()
  expect(await request('127.0.0.3')).toBe(200)
})

test('idle connections of many machines leave half of all connections free', async () => {
  const { openMany, request } = await openServer()
  const machines = Array.from({ length: 8 }, (_, at) => openMany(5, `127.0.1.${at + 1}`))
  const attackers = (await Promise.all(machines)).flat()
  await request('127.0.0.3')

  vi.advanceTimersByTime(4_000)
  await untilOpen(attackers, 20)

  expect(await request('127.0.0.3')).toBe(200)
})

test('connections with a request in progress are not idle', async () => {
  const { openMany, request } = await openServer()
  const busy = await openMany(20, '127.0.0.2', 'GET /open HTTP/1.1\r\nhost: a\r\n\r\n')
  const idle = await openMany(15, '127.0.0.4')
  await request('127.0.0.3')

  vi.advanceTimersByTime(4_000)
  await untilOpen(idle, 10)

  expect(openCount(busy)).toBe(20)
})

test('a trusted proxy may have more idle connections', async () => {
  const { openMany, request } = await openServer(['127.0.0.2'])
  const ofProxy = await openMany(15, '127.0.0.2')
  const others = await openMany(15, '127.0.0.4')
  await request('127.0.0.3')

  vi.advanceTimersByTime(4_000)
  await untilOpen(others, 10)

  expect(openCount(ofProxy)).toBe(15)
})
