import type { Socket } from 'node:net'

/** The peer has sent more than a line may have, or has ended the connection. */
export class ConnectionEnded extends Error {
  override name = 'ConnectionEnded'
}

export type Lines = {
  /** The next line. One reader at a time. */
  read(): Promise<string>
  write(value: unknown): void
}

const newline = 0x0a

/** Lines of UTF-8 over a socket. A longer line, and more lines than are read, end the connection. */
export function linesOf(socket: Socket, maxBytes: number): Lines {
  let buffered: Buffer = Buffer.alloc(0)
  let waiting: { resolve(line: string): void; reject(error: Error): void } | undefined
  let ended: ConnectionEnded | undefined

  const end = (reason: string) => {
    ended ??= new ConnectionEnded(reason)
    waiting?.reject(ended)
    waiting = undefined
    socket.destroy()
  }
  const deliver = () => {
    const at = buffered.indexOf(newline)
    if (at < 0 || !waiting) return
    const line = buffered.toString('utf8', 0, at)
    buffered = buffered.subarray(at + 1)
    waiting.resolve(line)
    waiting = undefined
  }

  socket.on('data', (chunk) => {
    buffered = Buffer.concat([buffered, chunk])
    deliver()
    if (buffered.length > maxBytes) end('The message is too long.')
  })
  socket.once('close', () => end('The connection was closed.'))
  socket.on('error', () => undefined)

  return {
    read: () =>
      new Promise((resolve, reject) => {
        if (ended) return reject(ended)
        waiting = { resolve, reject }
        deliver()
      }),
    write: (value) => void (socket.writable && socket.write(`${JSON.stringify(value)}\n`)),
  }
}
