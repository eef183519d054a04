import type { Server as HttpServer, IncomingMessage, ServerResponse } from 'node:http'
import { isIP, type Socket } from 'node:net'
import { machineOf } from '../load/networks.ts'
import { isInRanges, toBlockList } from './address-ranges.ts'

/** What an idle connection may cost others. Those of agents are closed soon, or wait for a call. */
const maxPerMachine = 2_000
/** Idle connections never take more than these shares of all connections, of one machine or together. */
const maxShareOfMachine = 1 / 4
const maxShareOfAll = 1 / 2
/** A connection has this long to send its request, however many there are. */
const minIdleMs = 2_000
const lookMs = 1_000

type IdleConnections = Map<Socket, number>

/**
 * Closes connections without a request in progress, the oldest first, while a machine or all together have too many of them.
 * Half-open and idle connections of an attacker would otherwise take the place of agents that connect. Connections of trusted
 * proxies stand for many machines and are not counted.
 */
export function limitIdleConnections(
  servers: readonly HttpServer[],
  trustedProxies: readonly string[],
  maxConnections: () => number,
): () => void {
  const proxies = toBlockList(trustedProxies)
  const idle = new Map<string, IdleConnections>()
  const machines = new WeakMap<Socket, string>()

  function add(socket: Socket): void {
    if (socket.destroyed) return
    const address = (socket.remoteAddress ?? '').replace(/^::ffff:/i, '')
    let machine = machines.get(socket)
    if (machine === undefined) {
      if (isIP(address) === 0 || isInRanges(proxies, address)) return
      machine = machineOf(address)
      machines.set(socket, machine)
      socket.once('close', handleClose)
    }
    const connections = idle.get(machine) ?? new Map<Socket, number>()
    idle.set(machine, connections)
    connections.set(socket, performance.now())
  }

  function remove(socket: Socket): void {
    const machine = machines.get(socket) ?? ''
    const connections = idle.get(machine)
    connections?.delete(socket)
    if (connections?.size === 0) idle.delete(machine)
  }

  function handleClose(this: Socket): void {
    remove(this)
  }

  function handleEnd(this: ServerResponse): void {
    if (this.req.socket) add(this.req.socket)
  }

  function handleRequest(request: IncomingMessage, response: ServerResponse): void {
    remove(request.socket)
    response.once('close', handleEnd)
  }

  /** A connection with TLS is first one without. */
  function handleSecure(socket: Socket & { _parent?: Socket }): void {
    if (socket._parent) remove(socket._parent)
    add(socket)
  }

  function closeExcess(): void {
    const max = maxConnections()
    const maxOfMachine = Math.min(maxPerMachine, max * maxShareOfMachine)
    for (const connections of idle.values()) closeOldest(connections, connections.size - maxOfMachine)
    const all = [...idle.values()].reduce((sum, { size }) => sum + size, 0)
    let excess = all - max * maxShareOfAll
    if (excess <= 0) return
    for (const connections of [...idle.values()].toSorted((a, b) => b.size - a.size)) {
      if (excess <= 0) break
      excess -= closeOldest(connections, Math.min(excess, Math.ceil(connections.size / 2)))
    }
  }

  for (const server of servers) {
    server.on('connection', add)
    server.on('secureConnection', handleSecure)
    server.prependListener('request', handleRequest)
  }
  const timer = setInterval(closeExcess, lookMs)
  timer.unref()
  return () => clearInterval(timer)
}

/** Returns how many it has closed. */
function closeOldest(connections: IdleConnections, count: number): number {
  const latest = performance.now() - minIdleMs
  let closed = 0
  for (const [socket, since] of connections) {
    if (closed >= count || since > latest) break
    socket.destroy()
    closed++
  }
  return closed
}
