import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

test('the state of 100,000 computers takes less than 600 bytes each, with ten installed packages', async () => {
  const program = join(import.meta.dirname, 'measure-state.ts')

  const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', program])

  const { perComputer } = JSON.parse(stdout) as { perComputer: number }
  expect(perComputer).toBeGreaterThan(50)
  expect(perComputer).toBeLessThan(600)
})
