import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

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

type Collect = (options: { type: 'major'; execution: 'sync'; flavor: 'last-resort' }) => void

/**
 * Returns memory to the system that nothing uses. It takes about a tenth of a second, in which this process answers nobody, so it is
 * only for a process that rests after much work: it allocates too little to collect its garbage by itself.
 */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  const collect: Collect = runInNewContext('gc')
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}
