import { readdir, readFile } from 'node:fs/promises'
import { cpus } from 'node:os'
import { sql } from 'kysely'
import type { Database } from '../src/database/connect.ts'

const ticksPerSecond = 100

type Process = { pid: number; parent: number; seconds: number; secondsOfEnded: number }

async function processes(): Promise<Process[]> {
  const entries = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const read = entries.map(async (pid) => {
    const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
    // The name stands in parentheses, and may hold anything.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const ticks = (at: number) => Number(fields[at] ?? 0) / ticksPerSecond
    return {
      pid: Number(pid),
      parent: Number(fields[1]),
      seconds: ticks(11) + ticks(12),
      secondsOfEnded: ticks(13) + ticks(14),
    }
  })
  return Promise.all(read)
}

/** The processor time that the process and its children have used so far. */
export async function secondsOf(pid: number): Promise<number> {
  const all = await processes()
  const root = all.find((one) => one.pid === pid)
  const children = all.filter(({ parent }) => parent === pid)
  return [...children.map(({ seconds }) => seconds), root?.seconds ?? 0, root?.secondsOfEnded ?? 0].reduce(
    (sum, seconds) => sum + seconds,
    0,
  )
}

/** The process that started all those of the database server. */
export async function postmasterOf(db: Database): Promise<number> {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)
  const backend = (await processes()).find(({ pid }) => pid === rows[0]?.pid)
  if (!backend) throw new Error('The database runs on another machine.')
  return backend.parent
}

/** What this process with all its threads, and the database, have used so far. */
export async function secondsOfServiceHere(db: Database): Promise<{ service: number; database: number }> {
  const { user, system } = process.cpuUsage()
  return { service: (user + system) / 1e6, database: await secondsOf(await postmasterOf(db)) }
}

/** The time that the cores of the machine have worked so far, whoever for. */
export function secondsOfMachine(): number {
  return cpus().reduce((sum, { times: { user, nice, sys, irq } }) => sum + (user + nice + sys + irq) / 1000, 0)
}
