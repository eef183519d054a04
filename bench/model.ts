import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { BenchOptions } from './options.ts'
import { reportTarget } from './target.ts'

const repository = join(import.meta.dirname, '..')

/** Of the test, which takes up to this many steps in each run. */
const stepsPerRun = 60
const defaultRounds = 500

/**
 * Compares the service with the model of deployments, as the tests do, for many more steps. After each step, all answers
 * must be those of the model, and no open work may be without a justification.
 */
export async function benchModel({ rounds = defaultRounds, seed }: BenchOptions): Promise<void> {
  const file = 'server/test/deployments/state-machine/state-machine.test.ts'
  const { MUSTER_MODEL_SEED: _, ...environment } = process.env
  const test = spawn('npx', ['vitest', 'run', '--project', 'server', file], {
    cwd: repository,
    stdio: 'inherit',
    env: {
      ...environment,
      MUSTER_MODEL_RUNS: String(rounds),
      ...(seed !== undefined && { MUSTER_MODEL_SEED: String(seed) }),
    },
  })
  const [code] = await once(test, 'exit')
  reportTarget(`${rounds} sequences of up to ${stepsPerRun} steps agree with the model`, code === 0)
}
