import { afterAll, beforeAll, expect, test } from 'vitest'
import { madeOnce } from '../world/made-once.ts'
import type { Cell } from './matrix/cell.ts'
import { cells } from './matrix/cells.ts'
import { type CellOptions, type CellResult, runCell } from './matrix/run-cell.ts'
import { startService } from './matrix/service-process.ts'
import { openWorld, type World } from './matrix/world.ts'

// The short version: every fault, for a few seconds, under a load far below what the machine can bear.
const agents = 8
const options: CellOptions = {
  version: 'short',
  seconds: 2.5,
  warmUpSeconds: 1,
  load: { readers: 4, writers: 2, agentPauseMs: 750, pauseMs: 180, timeoutMs: 60_000 },
}

/**
 * Faults mostly wait, so five worlds share the machine: more would keep each other from a processor. The worlds of a lane take
 * its cells in turn, and each begins as the first cell needs it. A lane whose cells need a small disk has one world.
 */
const lanes = [
  { pattern: /^(service|one backend|all backends|postmaster|locked row)/, arrangement: 'external', worlds: 2 },
  { pattern: /^(network|clock)/, arrangement: 'proxied', worlds: 1 },
  { pattern: /^(embedded|disk)/, arrangement: 'embedded', worlds: 1 },
  { pattern: /^(worker|file)/, arrangement: 'workers', worlds: 1 },
] as const

type Lane = (typeof lanes)[number]
type Outcome = Pick<CellResult, 'failures'> & { obstacle?: string }

const outcomes = new Map<Cell, PromiseWithResolvers<Outcome>>(cells.map((cell) => [cell, Promise.withResolvers()]))
/** For each world, what is wrong with its audit trail in the end, if something is. */
let running: Promise<string | undefined>[] = []

beforeAll(async () => {
  // Most other tests of processes have needed it before.
  const template = await madeOnce('installation', install)
  for (const { promise } of outcomes.values()) promise.catch(() => {})
  running = lanes.flatMap((lane) => startLane(lane, template))
}, 120_000)

afterAll(async () => {
  await Promise.all(running)
}, 600_000)

/** Makes a data directory as after the first start. */
async function install(dataDirectory: string): Promise<void> {
  const service = await startService({ env: { MUSTER_DATA_DIR: dataDirectory } })
  await service.end('SIGTERM')
}

function startLane({ pattern, arrangement, worlds }: Lane, template: string): Promise<string | undefined>[] {
  const own = cells.filter(({ name }) => pattern.test(name))
  // Those that also stop the service take more time, so they come first.
  const waiting = own.toSorted((a, b) => Number(stopsInBoth(b)) - Number(stopsInBoth(a)))
  // Opening a world takes a processor, so the worlds of a lane open one after the other, while cells wait in the earlier ones.
  let previous: Promise<unknown> = Promise.resolve()
  return Array.from({ length: worlds }, async () => {
    const opened = previous.then(() =>
      openWorld({ agents, arrangement, hasSmallDisk: own.some(needsSmallDisk), template }),
    )
    previous = opened.catch(() => {})
    try {
      return await runInTurn(await opened, waiting)
    } catch (error) {
      for (const cell of own) outcomes.get(cell)?.reject(error)
      return String(error)
    }
  })
}

async function runInTurn(world: World, waiting: Cell[]): Promise<string | undefined> {
  try {
    for (let cell = waiting.shift(); cell; cell = waiting.shift()) {
      const obstacle = needsSmallDisk(cell) ? world.diskObstacle : undefined
      outcomes.get(cell)?.resolve(obstacle ? { failures: [], obstacle } : await runCell(world, cell, options))
    }
    return await world.verifyAudit()
  } finally {
    await world.close()
  }
}

const stopsInBoth = ({ stops }: Cell) => stops === 'in both versions'
const needsSmallDisk = ({ arrangement }: Cell) => arrangement === 'small disk'

test.for(cells.map((cell) => [cell.name, cell] as const))(
  'one fault stays one fault: %s',
  { timeout: 300_000 },
  async ([name, cell], { skip }) => {
    const { failures, obstacle } = (await outcomes.get(cell)?.promise) ?? {}
    if (obstacle) console.warn(`NOT TESTED: ${name}. ${obstacle}`)
    skip(obstacle !== undefined, obstacle)
    expect(failures).toEqual([])
  },
)

test('the audit trail is intact after all faults', async () => {
  expect(await Promise.all(running)).toEqual(running.map(() => undefined))
}, 300_000)
