import { readdir, readFile } from 'node:fs/promises'
import { cpus } from 'node:os'
import { sql } from 'kysely'
import type { Database } from '../server/src/database/connect.ts'

const ticksPerSecond = 100

type Process = { pid: number; parent: number; seconds: number; secondsOfEndedChildren: number }

async function listProcesses(): Promise<Process[]> {
  const entries = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const read = entries.map(async (pid) => {
    const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
    // The name of the process is in parentheses and may contain any character.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const ticks = (at: number) => Number(fields[at] ?? 0) / ticksPerSecond
    return {
      pid: Number(pid),
      parent: Number(fields[1]),
      seconds: ticks(11) + ticks(12),
      secondsOfEndedChildren: ticks(13) + ticks(14),
    }
  })
  return Promise.all(read)
}

/** The process, its children, and theirs. */
function treeOf(pid: number, all: readonly Process[]): Process[] {
  const children = all.filter(({ parent }) => parent === pid)
  return [...all.filter((one) => one.pid === pid), ...children.flatMap((child) => treeOf(child.pid, all))]
}

/** The processor time of a process and all processes below it so far. */
export async function processorSecondsOf(pid: number): Promise<number> {
  const tree = treeOf(pid, await listProcesses())
  return tree.reduce((sum, { seconds, secondsOfEndedChildren }) => sum + seconds + secondsOfEndedChildren, 0)
}

/** The memory of a process and all processes below it. What several of them share counts once. */
export async function megabytesOf(pid: number): Promise<number> {
  const tree = treeOf(pid, await listProcesses())
  const sizes = tree.map(async (one) => {
    const text = await readFile(`/proc/${one.pid}/smaps_rollup`, 'utf8').catch(() => '')
    return Number(/^Pss:\s+(\d+) kB$/m.exec(text)?.[1] ?? 0) / 1024
  })
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
}

/** The main process of the database server. */
export async function getPostmaster(db: Database): Promise<number> {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)
  return getPostmasterOfBackend(rows[0]?.pid)
}

export async function getPostmasterOfBackend(backendPid: number | undefined): Promise<number> {
  const backend = (await listProcesses()).find(({ pid }) => pid === backendPid)
  if (!backend) throw new Error('The database runs on another machine.')
  return backend.parent
}

/** The processor time of this process, which runs the service, and of the database so far. */
export async function processorSeconds(db: Database): Promise<{ service: number; database: number }> {
  const { user, system } = process.cpuUsage()
  return { service: (user + system) / 1e6, database: await processorSecondsOf(await getPostmaster(db)) }
}

/** The processor time of the whole machine so far. */
export function processorSecondsOfMachine(): number {
  return cpus().reduce((sum, { times: { user, nice, sys, irq } }) => sum + (user + nice + sys + irq) / 1000, 0)
}
