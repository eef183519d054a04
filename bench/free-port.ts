import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** Below the ephemeral ports that the system uses for connections. */
const ports = { first: 20_000, last: 30_000 }

/** Finds `count` consecutive free ports on this machine. Returns the first. */
export async function findFreePort(count = 1): Promise<number> {
  for (;;) {
    const first = randomInt(ports.first, ports.last)
    const candidates = Array.from({ length: count }, (_, at) => first + at)
    const free = await Promise.all(candidates.map(isFree))
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
