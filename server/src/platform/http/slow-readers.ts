import type { ServerResponse } from 'node:http'
import { finished } from 'node:stream'

/** In a minute, even a line with 10 kbit/s transfers this much. */
const windowMs = 60_000
const minBytesPerWindow = 64 * 1024

/**
 * Closes the connection of a client that requests a file and hardly reads it: it would occupy a place among the downloads,
 * and file descriptors, for as long as it likes. Clients on slow lines continue with the next range.
 */
export function closeIfReadSlowly(response: ServerResponse, countTakenBytes: () => number): void {
  let before = 0
  const timer = setInterval(() => {
    const taken = countTakenBytes()
    if (taken - before < minBytesPerWindow) response.destroy()
    before = taken
  }, windowMs)
  finished(response, () => clearInterval(timer))
}
