import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

/** How long processes may take to end after the test has ended or killed them. */
const patienceMs = 2_000

/**
 * Fails if a process of a test still runs, and kills it: it would run on until the computer is restarted. Every process of a
 * test, and those that it has started, have the folder of the test in their environment.
 */
export async function requireNoProcess(root: string): Promise<void> {
  const deadline = performance.now() + patienceMs
  let remaining = await listProcesses(root)
  while (remaining.length > 0 && performance.now() < deadline) {
    await sleep(20)
    remaining = await listProcesses(root)
  }
  if (remaining.length === 0) return
  for (const { pid } of remaining) kill(pid)
  const lines = remaining.map(({ pid, command }) => `  ${pid}  ${command}`)
  throw new Error(['The test has left processes behind:', ...lines].join('\n'))
}

type Process = { pid: number; command: string }

async function listProcesses(root: string): Promise<Process[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)
  const found = await Promise.all(pids.map((pid) => findProcess(pid, root)))
  return found.filter((one) => one !== undefined)
}

/** The process, if it belongs to the test. One that has ended and was not yet waited for has no environment. */
async function findProcess(pid: number, root: string): Promise<Process | undefined> {
  try {
    const environment = await readFile(`/proc/${pid}/environ`, 'utf8')
    if (!environment.split('\0').includes(`ROOT=${root}`)) return undefined
    return { pid, command: (await readFile(`/proc/${pid}/cmdline`, 'utf8')).replaceAll('\0', ' ').trim() }
  } catch {
    // It has ended, or it belongs to somebody else.
    return undefined
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended meanwhile.
  }
}
