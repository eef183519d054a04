import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { runBoundedThread } from '../../src/platform/load/bounded-thread.ts'
import { openTemporaryFolder } from '../world/temporary-folder.ts'

const folder = await openTemporaryFolder()
afterAll(() => rm(folder, { recursive: true }))

let count = 0

async function runProgram(source: string, maxMs = 20_000): Promise<unknown> {
  const file = join(folder, `program-${++count}.mjs`)
  await writeFile(file, `import { parentPort, workerData } from 'node:worker_threads'\n${source}`)
  return runBoundedThread(file, { number: 1 }, { maxMs, maxHeapMb: 32 })
}

test('a program in a thread gets its task, answers once, and sees no variables of the environment', async () => {
  const answer = await runProgram(
    'parentPort.postMessage({ task: workerData, environment: Object.keys(process.env).length })',
  )

  expect(answer).toEqual({ task: { number: 1 }, environment: 0 })
})

test('a program that never returns is stopped at its time limit', async () => {
  await expect(runProgram('for (;;) {}', 300)).rejects.toMatchObject({ name: 'ThreadStopped', reason: 'time' })
})

test('a program that needs too much memory is stopped, and the process goes on', async () => {
  const source = 'const kept = []; for (;;) kept.push(Array.from({ length: 10_000 }, (_, at) => ({ at })))'

  await expect(runProgram(source)).rejects.toMatchObject({ reason: 'memory' })
})

test.each([
  ['throws where no promise notices', "setImmediate(() => { throw new Error('late') })"],
  ['ends without an answer', 'process.exit(0)'],
])('a program that %s is an error', async (_name, source) => {
  await expect(runProgram(source)).rejects.toMatchObject({ reason: 'error' })
})
