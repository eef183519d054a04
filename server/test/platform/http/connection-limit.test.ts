import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { limitConnections } from '../../../src/platform/http/connection-limit.ts'
import { until } from '../../database/embedded-postgres/muster.ts'

/** Of 400 file descriptors, 128 are for the program and 12 for the database. */
const maxDescriptors = 400
const databaseConnections = 12

test.each([
  { quiet: 0, expected: 130 },
  { quiet: 100, expected: 180 },
])(
  'servers share the file descriptors: with $quiet connections that download nothing, $expected may be open',
  async ({ quiet, expected }) => {
    vi.spyOn(process.report, 'getReport').mockReturnValue({ userLimits: { open_files: { soft: maxDescriptors } } })
    const servers = [createServer(), createServer()]
    const limit = limitConnections(servers, databaseConnections, () => quiet)
    const ports = await Promise.all(servers.map(listenOnLoopback))

    const sockets = await Promise.all(Array.from({ length: 200 }, (_, at) => open(ports[at % 2] ?? 0)))

    await until(() => (countOpen(sockets) <= expected ? true : undefined))
    expect(countOpen(sockets)).toBe(expected)
    expect(limit.maxQuietConnections).toBe(208)

    sockets.find(({ closed }) => !closed)?.destroy()
    const next = await until(async () => {
      const socket = await open(ports[0] ?? 0)
      await once(socket, 'close', { signal: AbortSignal.timeout(100) }).catch(() => {})
      return socket.closed ? undefined : socket
    })
    expect(next.closed).toBe(false)
  },
)

const countOpen = (sockets: readonly Socket[]) => sockets.filter(({ closed }) => !closed).length

async function listenOnLoopback(server: ReturnType<typeof createServer>): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}

async function open(port: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1' })
  socket.on('error', () => {})
  onTestFinished(() => void socket.destroy())
  await once(socket, 'connect')
  return socket.resume()
}
