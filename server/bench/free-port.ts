import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** Below those that the system gives to connections. */
const ports = { first: 20_000, last: 30_000 }

/** A port of this machine on which nothing listens, nor on the ones after it, as many as are asked for. */
export async function freePort(count = 1): Promise<number> {
  for (;;) {
    const first = randomInt(ports.first, ports.last)
    const wanted = Array.from({ length: count }, (_, at) => first + at)
    const free = await Promise.all(wanted.map(isFree))
    if (free.every(Boolean)) return first
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1')
  const isListening = await once(server, 'listening').then(
    () => true,
    () => false,
  )
  if (isListening) await once(server.close(), 'close')
  return isListening
}
