import { afterAll, beforeAll, expect, test } from 'vitest'
import { madeOnce } from '../world/made-once.ts'
import type { Cell } from './matrix/cell.ts'
import { cells } from './matrix/cells.ts'
import { type CellOptions, type CellResult, runCell } from './matrix/run-cell.ts'
import { startService } from './matrix/service-process.ts'
import { openWorld } from './matrix/world.ts'

// The short version: every fault, for a few seconds, under a load far below what the machine can bear.
const agents = 8
const options: CellOptions = {
  version: 'short',
  seconds: 2.5,
  warmUpSeconds: 1,
  load: { readers: 4, writers: 2, agentPauseMs: 750, pauseMs: 180, timeoutMs: 60_000 },
}

/**
 * Faults mostly wait, so three worlds share the machine, each with about as much to do as the others. Each begins as its first
 * cell needs it.
 */
const lanes = [
  { pattern: /^(service|one backend|all backends|postmaster|locked row)/, arrangement: 'external' },
  { pattern: /^(network|clock)/, arrangement: 'proxied' },
  { pattern: /^(embedded|disk|worker|file)/, arrangement: 'embedded' },
] as const

type Outcome = Pick<CellResult, 'failures'> & { obstacle?: string }

const outcomes = new Map<Cell, PromiseWithResolvers<Outcome>>(cells.map((cell) => [cell, Promise.withResolvers()]))
let running: Promise<(string | undefined)[]>

beforeAll(async () => {
  // Most other tests of processes have needed it before.
  const template = await madeOnce('installation', install)
  for (const { promise } of outcomes.values()) promise.catch(() => {})
  running = Promise.all(lanes.map((lane) => runLane(lane, template)))
  running.catch(() => {})
}, 120_000)

afterAll(async () => {
  await running.catch(() => {})
}, 600_000)

/** Makes a data directory as after the first start. */
async function install(dataDirectory: string): Promise<void> {
  const service = await startService({ env: { MUSTER_DATA_DIR: dataDirectory } })
  await service.end('SIGTERM')
}

async function runLane(
  { pattern, arrangement }: (typeof lanes)[number],
  template: string,
): Promise<string | undefined> {
  const own = cells.filter(({ name }) => pattern.test(name))
  try {
    const world = await openWorld({ agents, arrangement, hasSmallDisk: own.some(needsSmallDisk), template })
    try {
      for (const cell of own) {
        const obstacle = needsSmallDisk(cell) ? world.diskObstacle : undefined
        outcomes.get(cell)?.resolve(obstacle ? { failures: [], obstacle } : await runCell(world, cell, options))
      }
      return await world.verifyAudit()
    } finally {
      await world.close()
    }
  } catch (error) {
    for (const cell of own) outcomes.get(cell)?.reject(error)
    throw error
  }
}

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
  expect(await running).toEqual(lanes.map(() => undefined))
}, 300_000)
