import { existsSync } from 'node:fs'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BenchOptions } from '../options.ts'
import { round } from '../round.ts'
import { reportTarget } from '../target.ts'
import { type Costs, measureCosts } from './measure.ts'
import { openYardstick } from './yardstick.ts'

/** What the service may cost: processor time in rounds of the yardstick, and memory in megabytes. */
type Budget = Record<keyof Costs, number>

/**
 * The budget of each kind of processor: on x64 the same service takes half as many rounds again as on arm64, because a round is
 * cheaper there.
 */
type Accepted = Partial<Record<NodeJS.Architecture, Budget>>

const acceptedFile = join(import.meta.dirname, 'accepted.json')
/** A cost that grows by more than this factor needs a decision. */
const maxGrowth = 1.1

/** Compares what the service costs with what was accepted. The yardstick is measured before, between and after the parts. */
export async function benchBudget({ accept }: BenchOptions): Promise<void> {
  const program = process.env.MUSTER_BENCH_SERVICE
  const all = await readAccepted()
  const accepted = all[process.arch]
  const { costs, millisecondsOfRound } = await measureBesideYardstick(program)
  const names = (Object.keys(labels) as (keyof Costs)[]).filter((name) => costs[name] !== undefined)
  const budget = Object.fromEntries(names.map((name) => [name, toBudget(name, costs, millisecondsOfRound)])) as Budget
  console.table(
    Object.fromEntries(names.map((name) => [labels[name], describe(costs[name], budget[name], accepted?.[name])])),
  )
  console.log(`A round of plain SQL took ${round(millisecondsOfRound)} ms of processor time.`)
  if (program) return
  if (accept) await writeFile(acceptedFile, `${JSON.stringify({ ...all, [process.arch]: budget }, null, 2)}\n`)
  else if (!accepted) reportTarget(`costs were accepted on ${process.arch} before, with --accept`, false)
  else for (const name of names) compare(labels[name], budget[name] / accepted[name])
}

const labels: Record<keyof Costs, string> = {
  emptyService: 'a second without computers',
  emptyServiceMegabytes: 'memory without computers',
  newComputer: 'a new computer',
  idleContact: 'an idle contact',
  workItem: 'a work item with its inventory',
}

/** Empty until costs have been accepted for the first time. */
async function readAccepted(): Promise<Accepted> {
  return existsSync(acceptedFile) ? (JSON.parse(await readFile(acceptedFile, 'utf8')) as Accepted) : {}
}

async function measureBesideYardstick(program: string | undefined) {
  const yardstick = await openYardstick()
  const dataDirectory = await mkdtemp(join(tmpdir(), 'muster-budget-'))
  // The embedded server of a service that runs as root has another user.
  await chmod(dataDirectory, 0o711)
  const rounds: number[] = []
  const pause = async () => {
    rounds.push(await yardstick.measure())
  }
  try {
    // The first time, its code is not compiled yet.
    await yardstick.measure()
    await pause()
    const costs = await measureCosts({ dataDirectory, program, pause })
    return { costs, millisecondsOfRound: rounds.reduce((sum, one) => sum + one, 0) / rounds.length }
  } finally {
    await yardstick.stop()
    await rm(dataDirectory, { recursive: true })
  }
}

function toBudget(name: keyof Costs, costs: Costs, millisecondsOfRound: number): number {
  const cost = costs[name] ?? 0
  return name === 'emptyServiceMegabytes' ? Math.round(cost) : round(cost / millisecondsOfRound)
}

function describe(cost: number | undefined, budget: number, accepted: number | undefined): object {
  return { 'ms of processor time, or MB': round(cost ?? 0), 'rounds of plain SQL, or MB': budget, accepted }
}

function compare(label: string, growth: number): void {
  reportTarget(`${label}: ${round(growth)} of the accepted cost, at most ${maxGrowth}`, growth <= maxGrowth)
}
