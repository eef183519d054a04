import { once } from 'node:events'
import { type AddressInfo, createConnection, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import type { Connection } from '../../src/database/connect.ts'

type Message = { type: string; bytes: Buffer }
type Session = { socket: Socket; greeting: Buffer; client: Socket | undefined }

const idle = 'I'

/**
 * A pooler between clients and PostgreSQL that gives a session to a client for one transaction only, as PgBouncer does
 * in transaction mode. Each transaction of a client uses a session other than the one before. Sessions stay open when
 * clients leave. It does not support prepared statements with names.
 */
export async function openTransactionPooler(server: Connection, sessionCount = 3): Promise<Connection> {
  if (!('host' in server)) throw new Error('The pooler connects to a socket of PostgreSQL.')
  const { user, database } = server
  const sessions = await Promise.all(Array.from({ length: sessionCount }, () => openSession(server)))

  const pooler = createServer((client) => {
    let session: Session | undefined
    let hasStarted = false
    client.on('error', () => undefined)
    client.on('close', () => {
      // A real pooler closes the session as well, because its transaction is still open.
      if (session) session.socket.destroy()
    })
    client.on('data', (chunk: Buffer) => {
      if (!hasStarted) {
        hasStarted = true
        client.write(sessions[0]?.greeting ?? Buffer.alloc(0))
        return
      }
      if (!session && chunk.toString('latin1', 0, 1) === 'X') return
      session ??= takeSession(sessions, client, () => {
        session = undefined
      })
      session.socket.write(chunk)
    })
  }).listen(0, '127.0.0.1')
  await once(pooler, 'listening')
  onTestFinished(() => {
    for (const { socket } of sessions) socket.destroy()
    pooler.close()
  })
  return { host: '127.0.0.1', port: (pooler.address() as AddressInfo).port, user, database }
}

async function openSession(server: Extract<Connection, { host: string }>): Promise<Session> {
  const socket = createConnection(`${server.host}/.s.PGSQL.${server.port}`)
  const parameters = `user\0${server.user}\0database\0${server.database}\0\0`
  const startup = Buffer.alloc(8 + parameters.length)
  startup.writeInt32BE(startup.length, 0)
  startup.writeInt32BE(196_608, 4)
  startup.write(parameters, 8)
  socket.write(startup)
  const session: Session = { socket, greeting: Buffer.alloc(0), client: undefined }
  await new Promise<void>((resolve) => {
    readMessages(socket, ({ type, bytes }) => {
      if (session.client) session.client.write(bytes)
      else session.greeting = Buffer.concat([session.greeting, bytes])
      if (type === 'Z') resolve()
    })
  })
  return session
}

/** Takes the session that was used least recently, until its transaction ends. */
function takeSession(sessions: Session[], client: Socket, onRelease: () => void): Session {
  const index = sessions.findIndex((session) => !session.client)
  const [session] = sessions.splice(index, 1)
  if (index < 0 || !session) throw new Error('All sessions of the pooler are in use.')
  sessions.push(session)
  session.client = client
  const release = readMessages(session.socket, ({ type, bytes }) => {
    if (type !== 'Z' || bytes.toString('latin1', 5) !== idle) return
    release()
    session.client = undefined
    onRelease()
  })
  return session
}

/** Calls the listener for each message of the server. Returns a function that ends this. */
function readMessages(socket: Socket, listener: (message: Message) => void): () => void {
  let rest = Buffer.alloc(0)
  const read = (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk])
    while (rest.length >= 5 && rest.length > rest.readInt32BE(1)) {
      const bytes = rest.subarray(0, rest.readInt32BE(1) + 1)
      rest = rest.subarray(bytes.length)
      listener({ type: bytes.toString('latin1', 0, 1), bytes })
    }
  }
  socket.on('data', read)
  return () => void socket.off('data', read)
}
