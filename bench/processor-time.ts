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

/** The processor time of a process and its children so far. */
export async function processorSecondsOf(pid: number): Promise<number> {
  const all = await listProcesses()
  const root = all.find((one) => one.pid === pid)
  const children = all.filter(({ parent }) => parent === pid)
  return [...children.map(({ seconds }) => seconds), root?.seconds ?? 0, root?.secondsOfEndedChildren ?? 0].reduce(
    (sum, seconds) => sum + seconds,
    0,
  )
}

/** The main process of the database server. */
export async function getPostmaster(db: Database): Promise<number> {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)
  const backend = (await listProcesses()).find(({ pid }) => pid === rows[0]?.pid)
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
