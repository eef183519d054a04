import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { freemem, setPriority } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

/** So that tests of time limits do not wait for the checks. */
const lowPriority = 10

const memory = '/dev/shm'
const minFreeBytes = 8 * 2 ** 30

// The temporary folder of the tests, and of every program that they start: what a test or a killed program leaves behind is
// removed with it. Like /tmp, other users can use it. Its name is short, because it is part of the paths of Unix sockets.
// It is not in /tmp, because each agent measures that, and would read the files of all databases.
const temporaryFolder = mkdtempSync(join(process.env.TMPDIR ?? (hasMuchMemory() ? memory : '/var/tmp'), 'muster-run-'))
chmodSync(temporaryFolder, 0o1777)

// Neither needs the result of the other, and the tests leave processor time unused.
const tests = spawn('vitest', ['run', ...process.argv.slice(2)], {
  stdio: 'inherit',
  env: { ...process.env, TMPDIR: temporaryFolder },
})
const checks = spawn('sh', ['-c', 'exec npm run --silent lint 2>&1'], { stdio: ['ignore', 'pipe', 'inherit'] })
if (checks.pid) setPriority(checks.pid, lowPriority)
process.once('SIGTERM', () => {
  for (const child of [tests, checks]) child.kill()
})

const codes = await Promise.all([exitCodeOf(tests), stopTestsIfChecksFail()])
process.exitCode = Math.max(...codes)
removeTemporaryFolder()

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

/** In memory, the databases of the tests wait for no disk. */
function hasMuchMemory(): boolean {
  try {
    const { bavail, bsize } = statfsSync(memory)
    return Math.min(bavail * bsize, freemem()) > minFreeBytes
  } catch {
    return false
  }
}

/** A folder that cannot be removed does not change the result of the tests, nor the last line of their output. */
function removeTemporaryFolder(): void {
  try {
    rmSync(temporaryFolder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
  } catch {
    // The operating system removes old files of this place.
  }
}
