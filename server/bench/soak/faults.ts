import { sql } from 'kysely'
import type { Database } from '../../src/database/connect.ts'
import { type Node, startNode } from '../nodes.ts'
import { postmasterOf } from '../processor-time.ts'
import type { BenchService } from '../service.ts'
import type { Depot } from './depot.ts'
import { pause, seconds, secondsToFinish } from './length.ts'

export type Happened = { name: string; at: number; until: number }

export type Victims = {
  database: BenchService['database']
  /** The first one is killed and replaced, the others stay. */
  nodes: Node[]
  nodeSettings: Record<string, string>
  depot: Depot
}

export const depotLoss = 'the depot is lost for a while'
/** Those that keep agents from their contacts for a moment. */
export const outages = ['the database restarts', 'a node is killed and started again', 'the database is killed']

const secondsOfLoss = Math.max(20, seconds / 12)
const secondsOfSlowDisk = Math.max(10, seconds / 20)
const slowCommitMicroseconds = 50_000

/** The faults, evenly over the time that is there before the end. */
export async function happen(victims: Victims, signal: AbortSignal): Promise<Happened[]> {
  const faults = faultsOf(victims, signal)
  const began = Date.now()
  const happened: Happened[] = []
  for (const [index, { name, act }] of faults.entries()) {
    const dueAt = began + (1000 * (seconds - secondsToFinish) * (index + 1)) / (faults.length + 0.5)
    await pause(Math.max(0, dueAt - Date.now()) / 1000, signal)
    if (signal.aborted) break
    const at = Date.now()
    console.log(`${new Date(at).toISOString()} ${name}`)
    await act()
    happened.push({ name, at, until: Date.now() })
  }
  return happened
}

function faultsOf({ database: { db, url }, nodes, nodeSettings, depot }: Victims, signal: AbortSignal) {
  const [restart = '', death = '', crash = ''] = outages
  const faults: { name: string; act(): Promise<void> }[] = [
    { name: restart, act: async () => void process.kill(await postmasterOf(db), 'SIGINT') },
    {
      name: depotLoss,
      async act() {
        await depot.kill()
        await pause(secondsOfLoss, signal)
        await depot.start()
      },
    },
    { name: death, act: () => replaceFirst(nodes, url, nodeSettings) },
    { name: 'the disk is slow for a while', act: () => slowDisk(db, signal) },
    { name: crash, act: async () => void process.kill(await postmasterOf(db), 'SIGKILL') },
  ]
  return faults
}

/** At the same address, where the balancer looks for it. */
async function replaceFirst(nodes: Node[], databaseUrl: string, settings: Record<string, string>): Promise<void> {
  const [first] = nodes
  if (!first) return
  await first.kill()
  nodes[0] = await startNode(databaseUrl, { ...settings, MUSTER_PORT: new URL(first.address).port })
}

/** Each commit takes as long as on a disk that is overloaded. */
async function slowDisk(db: Database, signal: AbortSignal): Promise<void> {
  const setDelay = async (microseconds: number) => {
    await sql`alter system set commit_delay = ${sql.lit(microseconds)}`.execute(db)
    await sql`alter system set commit_siblings = 0`.execute(db)
    await sql`select pg_reload_conf()`.execute(db)
  }
  await setDelay(slowCommitMicroseconds)
  await pause(secondsOfSlowDisk, signal)
  await setDelay(0)
}
