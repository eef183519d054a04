import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type BrokenPromise, findBrokenPromises, type Ledger } from '../matrix/ledger.ts'
import { type Load, startLoad } from '../matrix/load.ts'
import type { LoadSize } from '../matrix/load-clients.ts'
import type { Operation } from '../matrix/operations.ts'
import type { World } from '../matrix/world.ts'
import type { EventReader } from './event-reader.ts'
import type { Kill } from './kills.ts'

export type CrashRound = {
  kill: string
  acknowledged: number
  broken: BrokenPromise[]
  /** Answers that a crash does not excuse, and operations that did not succeed afterwards. */
  faults: string[]
  /** From the kill until clients were served again without a failure. */
  untilReady: number
}

/** Limits in seconds. */
const maxRecovery = 60
const maxFinish = 60

/** A crash may cost the connection, or a request to try again later. */
const excusedStatuses = [200, 201, 204, 401, 503]

/** Kills something while clients write, and compares what they were promised with what is there afterwards. */
export async function runRound(world: World, kill: Kill, size: LoadSize, events: EventReader): Promise<CrashRound> {
  await world.administrator.ensureConnected()
  const load = startLoad(world.service().address, world.fleet, size)
  await waitUntil(() => load.ledger.changes.size > 0, 1000 * maxRecovery)
  await sleep(randomInt(50, 500))
  const killedAt = performance.now()
  const fault = await kill.begin(world, load)
  await fault.end()
  await waitUntil(() => findRecovery(load.operations, killedAt) !== undefined, 1000 * maxRecovery)
  // What fails late counts, too.
  await sleep(300)
  const unfinished = await load.stop((since) => performance.now() - since >= 1000 * maxFinish)
  const recoveredAt = findRecovery(load.operations, killedAt)
  return {
    kill: kill.name,
    acknowledged: countAcknowledged(load.ledger),
    broken: await findBroken(world, load, events),
    faults: [
      ...findUnexcused(load.operations),
      ...unfinished.map(({ name, attempts }) => `${name} did not succeed: ${attempts.at(-1)?.outcome}`),
      ...(recoveredAt === undefined ? ['Clients were not served again.'] : []),
    ],
    untilReady: ((recoveredAt ?? performance.now()) - killedAt) / 1000,
  }
}

async function findBroken(world: World, { ledger, prefix, startedAt }: Load, events: EventReader) {
  const { api } = world.fleet
  return [...(await findBrokenPromises(ledger, prefix, startedAt, api)), ...(await events.readOn(api, ledger))]
}

/** When the first operation succeeded that began after the last failure. */
function findRecovery(operations: readonly Operation[], killedAt: number): number | undefined {
  const failures = operations.flatMap(({ attempts }) =>
    attempts.filter(({ outcome, at }) => at >= killedAt && outcome !== 'unfinished' && !isSuccess(outcome)),
  )
  const lastFailure = Math.max(killedAt, ...failures.map(({ at, milliseconds }) => at + milliseconds))
  const later = operations.filter(({ at, succeededAt }) => succeededAt !== undefined && at >= lastFailure)
  return later.length === 0 ? undefined : Math.min(...later.map(({ succeededAt }) => succeededAt ?? 0))
}

function isSuccess(outcome: number | string): boolean {
  return typeof outcome === 'number' && outcome < 500
}

function findUnexcused(operations: readonly Operation[]): string[] {
  return operations.flatMap(({ name, attempts }) =>
    attempts
      .filter(({ outcome }) => typeof outcome === 'number' && !excusedStatuses.includes(outcome))
      .map(({ outcome, code }) => `${name}: ${outcome} ${code}`),
  )
}

function countAcknowledged({ changes, results, enrolments, serialNumbers }: Ledger): number {
  const inventories = [...serialNumbers.values()].flat().filter(({ isAcknowledged }) => isAcknowledged).length
  return changes.size + results.size + enrolments.size + inventories
}

async function waitUntil(isMet: () => boolean, maxMilliseconds: number): Promise<void> {
  const latest = performance.now() + maxMilliseconds
  while (!isMet() && performance.now() < latest) await sleep(50)
}
