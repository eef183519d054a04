import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

test('each of 100,000 computers with ten installed packages takes less than 600 bytes', async () => {
  const program = join(import.meta.dirname, 'measure-state.ts')

  const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', program])

  const { perComputer } = JSON.parse(stdout) as { perComputer: number }
  expect(perComputer).toBeGreaterThan(50)
  expect(perComputer).toBeLessThan(600)
})
