import { execFile } from 'node:child_process'
import { readdir, readFile, readlink, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { DatabaseHome } from './database-home.ts'
import { EmbeddedPostgresError } from './embedded-postgres-error.ts'
import { requireNoFolder } from './unusable-paths.ts'

type Process = { pid: number; command: string }

/**
 * Ends every process that still uses the cluster and removes the pid file. The caller has the lock of the home and has
 * started no server, so a running postmaster is an orphan of an earlier Muster. Returns whether the last server crashed.
 */
export async function stopOrphanedServer(home: DatabaseHome, report: (phase: string) => void): Promise<boolean> {
  const pidFile = join(home.cluster, 'postmaster.pid')
  await requireNoFolder(pidFile)
  const recorded = Number.parseInt(await readFile(pidFile, 'utf8').catch(() => ''), 10)
  const found = await listClusterProcesses(home, recorded)
  if (found.length > 0) {
    report('stopped an orphaned PostgreSQL')
    await endProcesses(home, recorded)
  }
  // A crashed server leaves the file behind. An orphan that was shut down removes it.
  const hasCrashed = (await readdir(home.cluster)).includes('postmaster.pid')
  // PostgreSQL would refuse to start if the recorded pid now belongs to another program, or to a zombie.
  await rm(pidFile, { force: true })
  return hasCrashed
}

async function endProcesses(home: DatabaseHome, recorded: number): Promise<void> {
  const isPostmaster = (process: Process) => process.pid === recorded || process.command.includes('cluster_name=')
  if (await endWithSignal(home, recorded, 'SIGINT', 30_000, isPostmaster)) return
  if (await endWithSignal(home, recorded, 'SIGQUIT', 5_000)) return
  if (await endWithSignal(home, recorded, 'SIGKILL', 10_000)) return
  throw new EmbeddedPostgresError(
    'start-failed',
    `Processes of an earlier PostgreSQL in ${home.cluster} do not end, even after SIGKILL. Restart the machine.`,
  )
}

/** Ends all processes of the cluster at once, including those that are suspended. */
export async function killClusterProcesses(home: DatabaseHome): Promise<void> {
  await endWithSignal(home, Number.NaN, 'SIGKILL', 1_000)
}

/** Returns whether all processes ended in time. Without a postmaster, idle processes end by themselves within a second. */
async function endWithSignal(
  home: DatabaseHome,
  recorded: number,
  signal: NodeJS.Signals,
  timeoutMs: number,
  isTarget: (process: Process) => boolean = () => true,
): Promise<boolean> {
  const targets = (await listClusterProcesses(home, recorded)).filter(isTarget)
  for (const { pid } of targets) sendSignal(pid, signal)

  const deadline = Date.now() + (targets.length > 0 ? timeoutMs : 1_000)
  while (Date.now() < deadline) {
    if ((await listClusterProcesses(home, recorded)).length === 0) return true
    await sleep(20)
  }
  return false
}

/** Finds them by the id of the home, which the server has in its arguments and its children have in their titles. */
async function listClusterProcesses(home: DatabaseHome, recorded: number): Promise<Process[]> {
  const processes = await listProcesses()
  const marked = processes.filter(
    ({ command }) =>
      command.startsWith(`postgres: ${home.id}: `) ||
      (command.includes('postgres') && command.includes(`cluster_name=${home.id}`)),
  )
  if (marked.some(({ pid }) => pid === recorded)) return marked

  // A server that was started by hand has no id, but the working directory of every postmaster is its cluster.
  const startedByHand = processes.find(({ pid }) => pid === recorded)
  const folder = startedByHand && (await readlink(`/proc/${startedByHand.pid}/cwd`).catch(() => undefined))
  return startedByHand && folder === home.cluster ? [...marked, startedByHand] : marked
}

/** Lists all processes except zombies, which have no command line and use nothing. */
async function listProcesses(): Promise<Process[]> {
  if (process.platform !== 'linux') return await listProcessesWithPs()
  const pids = (await readdir('/proc')).filter((entry) => /^\d+$/.test(entry))
  const processes = await Promise.all(
    pids.map(async (pid) => {
      const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
      return { pid: Number(pid), command: line.replaceAll('\0', ' ') }
    }),
  )
  return processes.filter(({ command }) => command !== '')
}

async function listProcessesWithPs(): Promise<Process[]> {
  const { stdout } = await promisify(execFile)('/bin/ps', ['-axww', '-o', 'pid=,stat=,command='], {
    maxBuffer: 2 ** 26,
  })
  return stdout.split('\n').flatMap((line) => {
    const [, pid, state, command] = /^\s*(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? []
    return pid && command && !state?.startsWith('Z') ? [{ pid: Number(pid), command }] : []
  })
}

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // The process has already ended.
  }
}
