import { collectGarbage } from '../../../platform/load/collect-garbage.ts'

/** The requests of this many agents leave some megabytes behind. */
const minNewConnections = 1_000
const maxChangeAtRest = 20
const secondsAtRest = 10

/**
 * Gets the number of connections each second. When many agents have connected and no more come, it gives the memory
 * back that their requests took: with tens of thousands of connections, it would stay for hours, and is more than they need.
 */
export function openMemoryRelease(release: () => void = collectGarbage): (connections: number) => void {
  let last = 0
  let atRelease = 0
  let restingSeconds = 0
  return (connections) => {
    restingSeconds = Math.abs(connections - last) <= maxChangeAtRest ? restingSeconds + 1 : 0
    last = connections
    atRelease = Math.min(atRelease, connections)
    if (restingSeconds < secondsAtRest || connections - atRelease < minNewConnections) return
    atRelease = connections
    release()
  }
}
