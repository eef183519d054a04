import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openAgentWorld } from '../../channels/agent/agent-world.ts'
import { modelRuns } from '../../world/model-runs.ts'
import type { Both } from './answers.ts'
import { DeploymentModel } from './model.ts'
import { bootImages } from './packages.ts'
import { steps } from './steps.ts'
import { openStateMachine } from './world.ts'

// Set these for a longer search, and to repeat a failed run.
const numRuns = modelRuns(2)
const isSearch = process.env.MUSTER_MODEL_RUNS !== undefined
const seed = process.env.MUSTER_MODEL_SEED ? { seed: Number(process.env.MUSTER_MODEL_SEED) } : {}

const world = await openAgentWorld({ bootRateLimit: 0 })

// Without initial assignments, few random runs would install anything. In most runs, a requirement is not among them, and in
// some of these, what requires it is offered.
const assignedFirst = [
  [0, 2],
  [0, 3],
] as const
const requirements = [
  [0, 0],
  [1, 1],
] as const
const starts = fc.constantFrom('Met', 'Missing', 'Offered')
const offered = { mode: 'Install, Optional', offer: 'UntilDate', revokeCount: 0 } as const
const everything = [{ group: 0 }, true, { software: true, pxe: false, pull: false }] as const
const [firstBootImage = 0] = bootImages

test('the API agrees with the model after any sequence of requests, reports and lost work', async () => {
  let comparisons = 0
  await fc.assert(
    fc.asyncProperty(starts, fc.commands(steps, { maxCommands: 60, size: 'max' }), async (start, commands) => {
      const real = await openStateMachine(world)
      const model = new DeploymentModel()
      for (const [group, one] of start === 'Met' ? [...requirements, ...assignedFirst] : assignedFirst)
        expect(await real.assign(group, one)).toBe(model.assign(group, one))
      expect(await real.assignBootImage(0, firstBootImage)).toBe(model.assignBootImage(0, firstBootImage))
      expect(await real.assignEdition(0, 0)).toBe(model.assignEdition(0, 0))
      if (start === 'Offered') {
        expect(await real.setOptions(0, 2, offered)).toEqual(model.setOptions(0, 2, offered))
        expect(await real.activate(...everything)).toEqual(model.activate(...everything))
      }
      const both: Both = { model, ids: new Map(), eventCounts: [0, 0], packageCounts: [], steps: 0 }
      await fc.asyncModelRun(() => ({ model: both, real }), commands)
      comparisons += both.steps
    }),
    // A failure is shrunk for as long.
    { numRuns, interruptAfterTimeLimit: numRuns * 60_000, ...seed },
  )
  // Sequences have different lengths, so a long search says how far it went.
  if (isSearch) process.stdout.write(`${comparisons} steps agree with the model.\n`)
}, 3_600_000)
