import type { Cell } from '../server/test/faults/matrix/cell.ts'
import { cells } from '../server/test/faults/matrix/cells.ts'
import { promises } from '../server/test/faults/matrix/check-course.ts'
import { type CellOptions, type CellResult, runCell } from '../server/test/faults/matrix/run-cell.ts'
import { openWorld, type World } from '../server/test/faults/matrix/world.ts'
import { reportTarget } from './target.ts'

/**
 * One round for each of these durations. By default the first is short enough for faults that pass by, and the others last
 * longer than every timeout.
 */
const durations = (process.env.MUSTER_BENCH_SECONDS ?? '5,15,25').split(',').map(Number)
/** Only the faults whose name contains this text. */
const filter = process.env.MUSTER_BENCH_FAULTS ?? ''
const agents = 40

const load: CellOptions['load'] = { readers: 8, writers: 4, agentPauseMs: 1_000, pauseMs: 100, timeoutMs: 60_000 }

/** Runs every cell of the fault matrix several times, with longer faults and more load than the tests. */
export async function benchFaults(): Promise<void> {
  const results: CellResult[] = []
  const chosen = cells.filter(({ name }) => name.includes(filter))
  const world = await openWorld({ agents, arrangement: 'external', hasSmallDisk: true })
  try {
    for (const [round, seconds] of durations.entries()) {
      console.log(`\nround ${round + 1} of ${durations.length}: faults of ${seconds} s`)
      for (const cell of shuffle(chosen)) {
        const result = await tryCell(world, cell, { version: 'long', seconds, warmUpSeconds: 3, load })
        if (result) results.push(result)
      }
    }
    reportTarget('the audit trail is intact', (await world.verifyAudit()) === undefined)
  } finally {
    await world.close()
  }
  reportCells(results)
}

/** In another order each time, since a fault may leave something behind that only another one shows. */
function shuffle(items: readonly Cell[]): Cell[] {
  return items
    .map((item) => ({ item, position: Math.random() }))
    .toSorted((a, b) => a.position - b.position)
    .map(({ item }) => item)
}

async function tryCell(world: World, cell: Cell, options: CellOptions): Promise<CellResult | undefined> {
  const obstacle = cell.arrangement === 'small disk' ? world.diskObstacle : undefined
  if (obstacle) {
    console.log(`- ${cell.name}: NOT TESTED. ${obstacle}`)
    return undefined
  }
  const result = await runCell(world, cell, options)
  console.log(`${result.failures.length === 0 ? '✓' : '✗'} ${cell.name}`)
  for (const sentence of result.failures.slice(0, 10)) console.log(`    ${sentence}`)
  return result
}

function reportCells(results: readonly CellResult[]): void {
  console.table(
    results.map(({ cell, failures, figures, untilStopped }) => ({
      fault: cell.name,
      kept: failures.length === 0 ? '✓' : '✗',
      operations: figures.operations,
      'p99 before s': round(figures.p99BeforeFault),
      'p99 of others s': cell.takesDatabase ? 'all wait' : round(figures.p99OfOthers),
      'p99 of concerned s': round(figures.p99OfConcerned),
      '503': figures.refused,
      unanswered: figures.unanswered,
      'not ready after s': round(figures.untilReadyIsFalse),
      'ready again after s': round(figures.untilReadyIsTrue),
      'stopped after s': round(untilStopped),
    })),
  )
  const failed = results.filter(({ failures }) => failures.length > 0)
  const bounds =
    `p99 of other computers below ${promises.p99OfOthers} s, not ready within ${promises.untilReadyIsFalse} s, ` +
    `ready again within ${promises.untilReadyIsTrue} s, stopped within ${promises.untilStopped} s`
  reportTarget(
    `${failed.length} of ${results.length} faults broke a promise (nothing lost, no 500, ${bounds})`,
    failed.length === 0 && results.length > 0,
  )
}

function round(seconds: number | undefined): number | null {
  return seconds === undefined ? null : Math.round(seconds * 100) / 100
}
