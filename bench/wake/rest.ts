import { setTimeout as sleep } from 'node:timers/promises'
import type { Node } from '../nodes.ts'
import { megabytesOf, processorSecondsOf } from '../processor-time.ts'
import { round } from '../round.ts'
import { reportTarget } from '../target.ts'

const settlingSeconds = 20
const sampleSeconds = 20
const samples = 5

/** What the targets are set for. */
const targetConnections = 50_000

export type Rest = { connections: number; megabytes: number; shares: readonly number[] }

/** The memory, and several samples of the share of a core, of service and database while nothing happens. */
export async function measureRest({ pid }: Node, connections: number): Promise<Rest> {
  await sleep(settlingSeconds * 1e3)
  const shares: number[] = []
  for (let sample = 0; sample < samples; sample++) {
    const before = await processorSecondsOf(pid)
    await sleep(sampleSeconds * 1e3)
    shares.push(((await processorSecondsOf(pid)) - before) / sampleSeconds)
  }
  const rest = { connections, shares, megabytes: await megabytesOf(pid) }
  const percent = shares.map((share) => round(100 * share)).join(', ')
  console.log(`At rest with ${connections} connections: ${Math.round(rest.megabytes)} MB, ${percent} % of a core.`)
  return rest
}

/** What the connections take is the difference between none and all. The rest is the service, which has as many workers as they need here. */
export function reportRest(none: Rest, all: Rest): void {
  const scale = targetConnections / all.connections
  const megabytes = (all.megabytes - none.megabytes) * scale
  reportTarget(
    `memory of ${targetConnections} connections in service and database: ${Math.round(megabytes)} MB, below 1,500 ` +
      `(${round((1_024 * megabytes) / targetConnections)} KB each)`,
    megabytes < 1_500,
  )
  const share = (median(all.shares) - median(none.shares)) * scale
  reportTarget(
    `processor time of ${targetConnections} connections at rest: ${round(100 * share)} % of a core, below 5`,
    share < 0.05,
  )
}

/** Periodic work of the database, such as its clean-up, falls into some of the samples. */
const median = (shares: readonly number[]) => shares.toSorted((a, b) => a - b)[Math.floor(shares.length / 2)] ?? 0
