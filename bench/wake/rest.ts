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

/**
 * Both readings of the targets: all that service and database take, with as many workers as the agents need here, and what the
 * connections add to it.
 */
export function reportRest(none: Rest, all: Rest): void {
  const scale = targetConnections / all.connections
  const added = { megabytes: (all.megabytes - none.megabytes) * scale, share: (median(all) - median(none)) * scale }
  report('service and database with', {
    megabytes: none.megabytes + added.megabytes,
    share: median(none) + added.share,
  })
  report('what is added by', added)
}

function report(what: string, { megabytes, share }: { megabytes: number; share: number }): void {
  const subject = `${what} ${targetConnections} connections`
  reportTarget(`memory of ${subject}: ${Math.round(megabytes)} MB, below 1,500`, megabytes < 1_500)
  reportTarget(`processor time of ${subject} at rest: ${round(100 * share)} % of a core, below 5`, share < 0.05)
}

/** Periodic work of the database, such as its clean-up, falls into some of the samples. */
const median = ({ shares }: Rest) => shares.toSorted((a, b) => a - b)[Math.floor(shares.length / 2)] ?? 0
