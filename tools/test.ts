import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setPriority } from 'node:os'
import { text } from 'node:stream/consumers'

/** So that tests of time limits do not wait for the checks. */
const lowPriority = 10

// Neither needs the result of the other, and the tests leave processor time unused.
const tests = spawn('vitest', ['run', ...process.argv.slice(2)], { stdio: 'inherit' })
const checks = spawn('sh', ['-c', 'exec npm run --silent lint 2>&1'], { stdio: ['ignore', 'pipe', 'inherit'] })
if (checks.pid) setPriority(checks.pid, lowPriority)
process.once('SIGTERM', () => {
  for (const child of [tests, checks]) child.kill()
})

const codes = await Promise.all([exitCodeOf(tests), stopTestsIfChecksFail()])
process.exitCode = Math.max(...codes)

/** The last line of the output is the number of tests, so only checks that fail are shown. */
async function stopTestsIfChecksFail(): Promise<number> {
  const [output, code] = await Promise.all([text(checks.stdout), exitCodeOf(checks)])
  if (code === 0) return 0
  tests.kill('SIGINT')
  await exitCodeOf(tests)
  process.stdout.write(output)
  return code
}

async function exitCodeOf(child: ChildProcess): Promise<number> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  return child.exitCode ?? 1
}
