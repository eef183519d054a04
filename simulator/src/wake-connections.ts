import { connect as connectPlain, isIP, type Socket } from 'node:net'
import { connect as connectSecurely } from 'node:tls'

export type WakeConnections = {
  /** Opens the connection of a computer unless it has one. */
  ensure(computer: number, credential: string): void
  isConnected(computer: number): boolean
  count(): number
  close(): void
}

export type WakeConnectionOptions = {
  server: string
  /** The number of the first computer: several simulations on one machine must not share addresses. */
  firstNumber: number
  certificates?: string | undefined
  /** The server asks the computer for a contact. */
  onCall(computer: number): void
}

const callLine = /^contact$/m
const firstPauseMs = 1_000
const maxPauseMs = 60_000
/**
 * The system looks for a free port among those of an address. With thousands of connections from one address, that takes longer
 * than all else.
 */
const maxPerAddress = 250

/** Keeps the wake connections of computers: one socket each and nothing else, because there may be tens of thousands. */
export function openWakeConnections({
  server,
  firstNumber,
  certificates,
  onCall,
}: WakeConnectionOptions): WakeConnections {
  const { hostname, host, port, protocol, pathname } = new URL(server.replace(/\/*$/, '/'))
  const isSecure = protocol === 'https:'
  const sockets = new Map<number, Socket>()
  const connected = new Set<number>()
  const failures = new Map<number, number>()
  const isLocal = hostname === '127.0.0.1'
  let isClosed = false

  function addressOf(computer: number): string {
    const place = Math.floor((firstNumber + computer) / maxPerAddress)
    return `127.1.${Math.floor(place / 250)}.${1 + (place % 250)}`
  }

  function openSocket(computer: number): Socket {
    const target = {
      host: hostname,
      port: Number(port || (isSecure ? 443 : 80)),
      ...(isLocal && { localAddress: addressOf(computer) }),
    }
    if (!isSecure) return connectPlain(target)
    // TLS has no names for addresses.
    const name = isIP(hostname) === 0 && { servername: hostname }
    return connectSecurely({ ...target, ...name, ...(certificates && { ca: certificates }) })
  }

  function open(computer: number, credential: string): void {
    const socket = openSocket(computer)
    sockets.set(computer, socket)
    socket.write(
      `GET ${pathname}agent/v1/wake HTTP/1.1\r\nhost: ${host}\r\nauthorization: Bearer ${credential}\r\n\r\n`,
    )
    socket.on('data', (data: Buffer) => {
      const text = data.toString('latin1')
      if (text.startsWith('HTTP/1.1 200')) {
        connected.add(computer)
        failures.delete(computer)
      }
      if (callLine.test(text.replaceAll('\r', ''))) onCall(computer)
    })
    socket.on('end', () => socket.end())
    socket.on('error', () => {})
    socket.on('close', () => {
      connected.delete(computer)
      if (!isClosed) reopenLater(computer, credential)
    })
  }

  function reopenLater(computer: number, credential: string): void {
    const failed = failures.get(computer) ?? 0
    failures.set(computer, failed + 1)
    const pauseMs = Math.min(maxPauseMs, firstPauseMs * 2 ** failed) * (0.5 + Math.random() / 2)
    setTimeout(() => {
      if (!isClosed) open(computer, credential)
    }, pauseMs).unref()
  }

  return {
    ensure(computer, credential) {
      if (!isClosed && credential && !sockets.has(computer)) open(computer, credential)
    },
    isConnected: (computer) => connected.has(computer),
    count: () => connected.size,
    close() {
      isClosed = true
      for (const socket of sockets.values()) socket.destroy()
    },
  }
}
