import type { AddressInfo } from 'node:net'
import { createServer, type Socket } from 'node:net'

type Behaviour = (connection: Socket) => void

/** Repeats until the other side has enough, and waits for it to read. */
const endlessly =
  (first: string, repeated: string): Behaviour =>
  (connection) => {
    connection.write(first)
    const write = () => {
      while (connection.writable && connection.write(repeated));
    }
    connection.on('drain', () => setImmediate(write))
    write()
  }

/** What a server can do with a request instead of answering it. */
export const noAnswers = {
  'a change to another protocol': (connection) =>
    connection.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n'),
  'the same without its headers': (connection) => connection.write('HTTP/1.1 101 Switching Protocols\r\n\r\n'),
  'the end of the connection': (connection) => connection.end(),
  'the end within the headers': (connection) => connection.end('HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\n'),
  'another protocol': (connection) => connection.write('220 smtp.example.test ESMTP\r\n'),
  'a header without an end': endlessly('HTTP/1.1 200 OK\r\nx: ', 'x'.repeat(1_000)),
  'headers without an end': endlessly('HTTP/1.1 200 OK\r\n', 'x: y\r\n'.repeat(100)),
  'interim answers without an end': endlessly('', 'HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n'.repeat(10)),
  'an invitation to continue without an end': endlessly('', 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(10)),
  silence: () => {},
} satisfies Record<string, Behaviour>

export type NoAnswer = keyof typeof noAnswers

export const noAnswerNames = Object.keys(noAnswers) as NoAnswer[]

/** A server that does the same with every request. */
export async function openNoAnswerServer(name: NoAnswer) {
  const open = new Set<Socket>()
  let requests = 0
  const server = createServer((connection) => {
    open.add(connection)
    connection.on('error', () => {})
    connection.on('close', () => open.delete(connection))
    connection.once('data', () => {
      requests += 1
      noAnswers[name](connection)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    host: `127.0.0.1:${port}`,
    address: `http://127.0.0.1:${port}`,
    requests: () => requests,
    openConnections: () => open.size,
    close() {
      server.close()
      for (const connection of open) connection.destroy()
    },
  }
}
