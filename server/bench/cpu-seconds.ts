import { readdir, readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import type { Database } from '../src/database/connect.ts'

const ticksPerSecond = 100

/** The seconds of CPU that this process with all its threads, and the database with all its processes, have used. */
export async function cpuSeconds(db: Database): Promise<{ service: number; database: number }> {
  const { user, system } = process.cpuUsage()
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)
  const backend = await processOf(rows[0]?.pid ?? 0)
  const pids = (await readdir('/proc')).map(Number).filter((pid) => pid > 0)
  const all = await Promise.all(pids.map(processOf))
  const main = backend?.parent
  const ticks = all.reduce((sum, one) => {
    if (!one || (one.pid !== main && one.parent !== main)) return sum
    return sum + one.ticks + (one.pid === main ? one.ticksOfChildren : 0)
  }, 0)
  return { service: (user + system) / 1e6, database: ticks / ticksPerSecond }
}

/** See proc(5). Children that have ended are counted at their parent. */
async function processOf(pid: number) {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const [parent, user, system, childUser, childSystem] = [1, 11, 12, 13, 14].map((at) => Number(fields[at]))
  return {
    pid,
    parent,
    ticks: (user ?? 0) + (system ?? 0),
    ticksOfChildren: (childUser ?? 0) + (childSystem ?? 0),
  }
}
