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
 * What a connection takes is the difference between half of them and all of them: the first ones also bring memory that the
 * process keeps for garbage, whatever their number is.
 */
export function reportRest(none: Rest, half: Rest, all: Rest): void {
  const perConnection = (all.megabytes - half.megabytes) / (all.connections - half.connections)
  const megabytes = all.megabytes + perConnection * (targetConnections - all.connections)
  reportTarget(
    `memory of service and database: ${round(1_024 * perConnection)} KB for each further connection, so ${Math.round(megabytes)} MB ` +
      `with ${targetConnections}, below 1,500`,
    megabytes < 1_500,
  )
  const share = median(none.shares)
  const perTarget = ((median(all.shares) - share) * targetConnections) / all.connections
  reportTarget(
    `processor time with ${targetConnections} connections: ${round(100 * (share + perTarget))} % of a core, ` +
      `${round(100 * share)} % of it without connections, below 5`,
    share + perTarget < 0.05,
  )
}

/** Periodic work of the database, such as its clean-up, falls into some of the samples. */
const median = (shares: readonly number[]) => shares.toSorted((a, b) => a - b)[Math.floor(shares.length / 2)] ?? 0
