import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { freemem } from 'node:os'
import { join } from 'node:path'

const memory = '/dev/shm'
const minFreeBytes = 8 * 2 ** 30

// The temporary folder of the tests, and of every program that they start: what a test or a killed program leaves behind is
// removed with it. Like /tmp, other users can use it. Its name is short, because it is part of the paths of Unix sockets.
// It is not in /tmp, because each agent measures that, and would read the files of all databases.
const temporaryFolder = mkdtempSync(join(process.env.TMPDIR ?? (hasMuchMemory() ? memory : '/var/tmp'), 'muster-run-'))
chmodSync(temporaryFolder, 0o1777)

const selection = process.argv.slice(2)
const running = new Set<ChildProcess>()
process.once('SIGTERM', () => {
  for (const child of running) child.kill()
})

process.exitCode = (await prepare()) || (await run('vitest', ['run', ...selection]))
removeTemporaryFolder()

/** Before the tests: those of time limits must not compete with it, and checks that fail make them needless. */
async function prepare(): Promise<number> {
  // Selected tests are for code that is being changed. The checks follow when it is finished.
  if (selection.length > 0) return run('npm', ['run', '--silent', 'generate'])
  const tool = (name: string) => run(process.execPath, [join(import.meta.dirname, name)])
  const codes = await Promise.all([
    run('npm', ['run', '--silent', 'lint']),
    tool('install-debian-packages.ts'),
    tool('build-for-tests.ts'),
  ])
  return Math.max(...codes)
}

async function run(command: string, parameters: readonly string[]): Promise<number> {
  const child = spawn(command, parameters, { stdio: 'inherit', env: { ...process.env, TMPDIR: temporaryFolder } })
  running.add(child)
  const code = await exitCodeOf(child)
  running.delete(child)
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
