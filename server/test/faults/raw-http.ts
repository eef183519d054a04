import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

export type RawAnswer = { status: number; headers: Record<string, string>; body: string }

/** A bound for every single answer: generous for a busy machine, far below any timeout of the service. */
export const answerTimeoutMs = 10_000

/** Sends exactly these bytes and reads one answer; undefined when the connection was closed without one. */
export async function sendRaw(port: number, bytes: string | Uint8Array): Promise<RawAnswer | undefined> {
  const socket = await openSocket(port)
  try {
    socket.write(bytes)
    return await readAnswer(socket)
  } finally {
    socket.destroy()
  }
}

export async function openSocket(port: number): Promise<Socket> {
  const socket = connect({ host: '127.0.0.1', port })
  await once(socket, 'connect')
  // A reset ends the connection, which readers notice by its close.
  socket.on('error', () => {})
  return socket
}

/** The next answer on the connection. Throws when it does not come in time. */
export function readAnswer(socket: Socket): Promise<RawAnswer | undefined> {
  return new Promise((resolve, reject) => {
    let received = Buffer.alloc(0)
    const late = setTimeout(() => reject(new Error(`no answer within ${answerTimeoutMs} ms`)), answerTimeoutMs)
    const settle = (answer: RawAnswer | undefined) => {
      clearTimeout(late)
      socket.removeAllListeners('data')
      resolve(answer)
    }
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk])
      const answer = parseAnswer(received)
      if (answer?.isWhole) settle(answer)
    })
    // The answer to a HEAD has a length and no body.
    socket.once('close', () => settle(parseAnswer(received)))
  })
}

/** Every answer of the service has a Content-Length or no body. */
function parseAnswer(received: Buffer): (RawAnswer & { isWhole: boolean }) | undefined {
  const end = received.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  if (received.toString('latin1', 0, 12) === 'HTTP/1.1 100') return parseAnswer(received.subarray(end + 4))
  const [statusLine = '', ...lines] = received.toString('latin1', 0, end).split('\r\n')
  const headers = Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
    }),
  )
  const body = received.subarray(end + 4)
  const isWhole = body.length >= Number(headers['content-length'] ?? 0)
  return { status: Number(statusLine.split(' ')[1]), headers, body: body.toString('utf8'), isWhole }
}
