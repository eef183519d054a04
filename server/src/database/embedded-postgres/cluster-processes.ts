import { execFile } from 'node:child_process'
import { readdir, readFile, readlink, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { DatabaseHome } from './database-home.ts'
import { EmbeddedPostgresError } from './embedded-postgres-error.ts'

type Process = { pid: number; command: string }

/**
 * Ends every process that still works on the cluster and removes the pid file. Only call it with the lock held and
 * no server of our own: then a running postmaster is an orphan. Says whether the last server was not shut down.
 */
export async function clearCluster(home: DatabaseHome, report: (phase: string) => void): Promise<boolean> {
  const pidFile = join(home.cluster, 'postmaster.pid')
  const recorded = Number.parseInt(await readFile(pidFile, 'utf8').catch(() => ''), 10)
  const found = await clusterProcesses(home, recorded)
  if (found.length > 0) {
    report('stop a PostgreSQL left over')
    await endProcesses(home, recorded)
  }
  // A crashed server leaves the file behind, an orphan that was shut down does not.
  const crashed = (await readdir(home.cluster)).includes('postmaster.pid')
  // PostgreSQL would refuse to start if the recorded pid now belongs to another program, or to a zombie.
  await rm(pidFile, { force: true })
  return crashed
}

async function endProcesses(home: DatabaseHome, recorded: number): Promise<void> {
  const isPostmaster = (process: Process) => process.pid === recorded || process.command.includes('cluster_name=')
  if (await ended(home, recorded, 'SIGINT', 30_000, isPostmaster)) return
  if (await ended(home, recorded, 'SIGQUIT', 5_000)) return
  if (await ended(home, recorded, 'SIGKILL', 10_000)) return
  throw new EmbeddedPostgresError(
    'start-failed',
    `Processes of an earlier PostgreSQL on ${home.cluster} do not end, not even by SIGKILL.`,
  )
}

/** Without a postmaster the other processes end by themselves, unless they are busy: they get a second. */
async function ended(
  home: DatabaseHome,
  recorded: number,
  signal: NodeJS.Signals,
  limit: number,
  chosen?: (process: Process) => boolean,
): Promise<boolean> {
  const targets = (await clusterProcesses(home, recorded)).filter(chosen ?? (() => true))
  for (const { pid } of targets) send(pid, signal)

  const deadline = Date.now() + (targets.length > 0 ? limit : 1_000)
  while (Date.now() < deadline) {
    if ((await clusterProcesses(home, recorded)).length === 0) return true
    await sleep(20)
  }
  return false
}

/** The server carries the id of the home in its arguments, its children carry it in their titles. */
async function clusterProcesses(home: DatabaseHome, recorded: number): Promise<Process[]> {
  const processes = await allProcesses()
  const marked = processes.filter(
    ({ command }) =>
      command.startsWith(`postgres: ${home.id}: `) ||
      (command.includes('postgres') && command.includes(`cluster_name=${home.id}`)),
  )
  if (marked.some(({ pid }) => pid === recorded)) return marked

  // Started by hand it has no mark, but every postmaster works inside its cluster.
  const byHand = processes.find(({ pid }) => pid === recorded)
  const folder = byHand && (await readlink(`/proc/${byHand.pid}/cwd`).catch(() => undefined))
  return byHand && folder === home.cluster ? [...marked, byHand] : marked
}

/** Zombies have no command line any more and are left out: they hold nothing. */
async function allProcesses(): Promise<Process[]> {
  if (process.platform !== 'linux') return await processesByPs()
  const pids = (await readdir('/proc')).filter((entry) => /^\d+$/.test(entry))
  const processes = await Promise.all(
    pids.map(async (pid) => {
      const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
      return { pid: Number(pid), command: line.replaceAll('\0', ' ') }
    }),
  )
  return processes.filter(({ command }) => command !== '')
}

async function processesByPs(): Promise<Process[]> {
  const { stdout } = await promisify(execFile)('/bin/ps', ['-axww', '-o', 'pid=,stat=,command='], {
    maxBuffer: 2 ** 26,
  })
  return stdout.split('\n').flatMap((line) => {
    const [, pid, state, command] = /^\s*(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? []
    return pid && command && !state?.startsWith('Z') ? [{ pid: Number(pid), command }] : []
  })
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It ended on its own between the look and the signal.
  }
}
