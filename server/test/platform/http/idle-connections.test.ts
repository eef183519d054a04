import { once } from 'node:events'
import { createServer, get } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { limitIdleConnections } from '../../../src/platform/http/idle-connections.ts'
import { until } from '../../database/embedded-postgres/muster.ts'

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

test.each([
  ['idle', ''],
  ['half-open', 'GET / HTTP/1.1\r\nhost: a\r\nx: '],
])('%s connections of one machine do not keep others out', async (_, sent) => {
  const { openMany, request } = await openServer()
  const attackers = await openMany(40, '127.0.0.2', sent)
  const before = await request('127.0.0.3')

  await until(() => (openCount(attackers) <= 10 ? true : undefined), 6_000)

  expect(before).toBeUndefined()
  expect(await request('127.0.0.3')).toBe(200)
})

test('idle connections of many machines leave half of all connections free', async () => {
  const { openMany, request } = await openServer()
  const machines = Array.from({ length: 8 }, (_, at) => openMany(5, `127.0.1.${at + 1}`))
  const attackers = (await Promise.all(machines)).flat()

  await until(() => (openCount(attackers) <= 20 ? true : undefined), 6_000)

  expect(await request('127.0.0.3')).toBe(200)
})

test('connections with a request in progress are not idle', async () => {
  const { openMany } = await openServer()
  const busy = await openMany(20, '127.0.0.2', 'GET /open HTTP/1.1\r\nhost: a\r\n\r\n')

  await sleep(4_000)

  expect(openCount(busy)).toBe(20)
})

test('a trusted proxy may have more idle connections', async () => {
  const { openMany } = await openServer(['127.0.0.0/24'])
  const connections = await openMany(15, '127.0.0.2')

  await sleep(4_000)

  expect(openCount(connections)).toBe(15)
})
