import { openEventReader } from '../server/test/faults/crash/event-reader.ts'
import { type Kill, kills } from '../server/test/faults/crash/kills.ts'
import { type CrashRound, runRound } from '../server/test/faults/crash/run-round.ts'
import type { BrokenPromise } from '../server/test/faults/matrix/ledger.ts'
import { openWorld } from '../server/test/faults/matrix/world.ts'
import { ensureBundle } from '../server/tools/service-bundle.ts'
import type { BenchOptions } from './options.ts'
import { reportTarget } from './target.ts'

const defaultRounds = 200
const agents = 16
const load = { readers: 2, writers: 6, enrollers: 2, agentPauseMs: 300, pauseMs: 40, timeoutMs: 60_000 }

/** Kills processes under acknowledged writes, again and again, on the same installation. */
export async function benchCrash({ rounds = defaultRounds }: BenchOptions): Promise<void> {
  await ensureBundle()
  const world = await openWorld({ agents, arrangement: 'embedded, workers', hasSmallDisk: false })
  const events = openEventReader()
  const results: CrashRound[] = []
  try {
    for (let round = 0; round < rounds; round++) {
      const result = await runRound(world, chooseKill(round), load, events)
      results.push(result)
      printRound(round, rounds, result)
    }
    report(results, await events.readAgain(world.fleet.api), await world.verifyAudit())
  } finally {
    await world.close()
  }
}

/** All kinds equally often, in another order each time: a crash may leave something behind that only another one shows. */
function chooseKill(round: number): Kill {
  if (round % kills.length === 0) remaining = kills.map((kill) => ({ kill, rank: Math.random() }))
  remaining.sort((a, b) => a.rank - b.rank)
  const [next] = remaining.splice(0, 1)
  if (!next) throw new Error('There is no kind of crash.')
  return next.kill
}

let remaining: { kill: Kill; rank: number }[] = []

function printRound(
  round: number,
  rounds: number,
  { kill, acknowledged, broken, faults, untilReady }: CrashRound,
): void {
  const problems = [...broken.map(({ sentence }) => sentence), ...faults]
  console.log(
    `${round + 1} of ${rounds}: ${kill}, ${acknowledged} writes acknowledged, served again after ${untilReady.toFixed(1)} s`,
  )
  for (const problem of problems.slice(0, 10)) console.log(`    ${problem}`)
}

function report(results: readonly CrashRound[], changedEvents: BrokenPromise[], auditFault: string | undefined): void {
  const sum = (of: (round: CrashRound) => number, rounds = results) =>
    rounds.reduce((total, round) => total + of(round), 0)
  const count = (kind: BrokenPromise['kind']) => (round: CrashRound) =>
    round.broken.filter((promise) => promise.kind === kind).length
  const rows = kills.map(({ name }) => {
    const own = results.filter(({ kill }) => kill === name)
    const times = own.map(({ untilReady }) => untilReady).toSorted((a, b) => a - b)
    return {
      killed: name,
      rounds: own.length,
      'writes acknowledged': sum((round) => round.acknowledged, own),
      lost: sum(count('lost'), own),
      doubled: sum(count('doubled'), own),
      'other faults': sum(({ faults }) => faults.length, own),
      'served again after s (median)': times[Math.floor(times.length / 2)]?.toFixed(1),
      'max s': times.at(-1)?.toFixed(1),
    }
  })
  console.table(rows)
  const [lost, doubled] = [sum(count('lost')), sum(count('doubled'))]
  const acknowledged = sum((round) => round.acknowledged)
  reportTarget(`${acknowledged} acknowledged writes: ${lost} lost, ${doubled} done twice`, lost + doubled === 0)
  const faults = sum((round) => round.faults.length)
  reportTarget(`answers that a crash does not excuse, and operations that never succeeded: ${faults}`, faults === 0)
  reportTarget(`events that differ from before: ${changedEvents.length}`, changedEvents.length === 0)
  reportTarget(`the audit trail is intact${auditFault ? `, but ${auditFault}` : ''}`, auditFault === undefined)
}
