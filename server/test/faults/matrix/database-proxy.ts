import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** What happens to the bytes of a connection: they pass, vanish while both sockets stay open, or arrive late. */
type Behaviour = { kind: 'pass' } | { kind: 'silence' } | { kind: 'delay'; milliseconds: number }

type Connection = { client: Socket; server: Socket; behaviour: Behaviour; usedAt: number }

export type DatabaseProxy = {
  port: number
  /** The number of connections that are open now. */
  count(): number
  /** Silences the connection that was used last. It stays silent for good, as after a firewall lost its state. */
  silenceOne(): void
  /** Silences all connections for good, and new ones until `pass`. */
  silenceAll(): void
  /** What the database sends arrives this much later, on all connections and new ones, until `pass`. */
  delayAll(milliseconds: number): void
  /** Ends all connections with RST. New ones are refused until `pass`. */
  resetAll(): void
  /** New connections pass from now on, and so do delayed ones. */
  pass(): Promise<void>
  close(): Promise<void>
}

/** Listens on a port of the loopback interface, and connects to the Unix socket of PostgreSQL. */
export async function startDatabaseProxy(socketPath: () => string): Promise<DatabaseProxy> {
  const connections = new Set<Connection>()
  let behaviourOfNew: Behaviour = { kind: 'pass' }
  const listener = createServer((client) => {
    const connection = relay(client, connect(socketPath()), behaviourOfNew)
    connections.add(connection)
    client.once('close', () => connections.delete(connection))
  })
  const listen = async (port: number) => {
    listener.listen(port, '127.0.0.1')
    await once(listener, 'listening')
  }
  await listen(0)
  const { port } = listener.address() as AddressInfo
  const setAll = (behaviour: Behaviour) => {
    behaviourOfNew = behaviour
    for (const connection of connections) connection.behaviour = behaviour
  }
  const endAll = () => {
    for (const { client, server } of connections) {
      client.resetAndDestroy()
      server.destroy()
    }
  }
  return {
    port,
    count: () => connections.size,
    silenceOne() {
      const [last] = [...connections].sort((a, b) => b.usedAt - a.usedAt)
      if (last) last.behaviour = { kind: 'silence' }
    },
    silenceAll: () => setAll({ kind: 'silence' }),
    delayAll: (milliseconds) => setAll({ kind: 'delay', milliseconds }),
    resetAll() {
      listener.close()
      endAll()
    },
    async pass() {
      behaviourOfNew = { kind: 'pass' }
      for (const connection of connections)
        if (connection.behaviour.kind === 'delay') connection.behaviour = behaviourOfNew
      if (!listener.listening) await listen(port)
    },
    async close() {
      listener.close()
      endAll()
    },
  }
}

function relay(client: Socket, server: Socket, behaviour: Behaviour): Connection {
  const connection: Connection = { client, server, behaviour, usedAt: performance.now() }
  client.setNoDelay(true)
  client.on('data', (chunk) => {
    connection.usedAt = performance.now()
    if (connection.behaviour.kind !== 'silence') server.write(chunk)
  })
  // Chunks must keep their order when a delay begins or ends: each waits for the one before it.
  let previous = Promise.resolve()
  server.on('data', (chunk) => {
    const { behaviour: now } = connection
    if (now.kind === 'silence') return
    const ready = now.kind === 'delay' ? afterTimer(now.milliseconds) : Promise.resolve()
    previous = Promise.all([previous, ready]).then(() => void client.write(chunk))
  })
  for (const [from, to] of [
    [client, server],
    [server, client],
  ] as const) {
    from.on('error', () => {})
    from.on('close', () => {
      // A silent network does not report either that the other side has gone.
      if (connection.behaviour.kind !== 'silence' || from === client) void previous.then(() => to.destroy())
    })
  }
  return connection
}

function afterTimer(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}
