import { sql } from 'kysely'
import type { Database } from '../../server/src/database/connect.ts'
import { type Node, startNode } from '../nodes.ts'
import { getPostmaster } from '../processor-time.ts'
import type { BenchService } from '../service.ts'
import type { Depot } from './depot.ts'
import { pause, seconds, secondsToFinish } from './duration.ts'

export type FaultRecord = { name: string; at: number; until: number }

export type FaultTargets = {
  database: BenchService['database']
  /** The first node is killed and replaced. The others keep running. */
  nodes: Node[]
  nodeSettings: Record<string, string>
  depot: Depot
}

export const depotLoss = 'the depot fails for a while'
/** Faults that interrupt the contacts of agents for a short time. */
export const outages = ['the database restarts', 'a node is killed and started again', 'the database is killed']

const secondsOfLoss = Math.max(20, seconds / 12)
const secondsOfSlowDisk = Math.max(10, seconds / 20)
const slowCommitMicroseconds = 50_000

/** Injects the faults, spread evenly over the time before `secondsToFinish`. Returns when each of them happened. */
export async function injectFaults(targets: FaultTargets, signal: AbortSignal): Promise<FaultRecord[]> {
  const faults = listFaults(targets, signal)
  const began = Date.now()
  const records: FaultRecord[] = []
  for (const [index, { name, act }] of faults.entries()) {
    const dueAt = began + (1000 * (seconds - secondsToFinish) * (index + 1)) / (faults.length + 0.5)
    await pause(Math.max(0, dueAt - Date.now()) / 1000, signal)
    if (signal.aborted) break
    const at = Date.now()
    console.log(`${new Date(at).toISOString()} ${name}`)
    await act()
    records.push({ name, at, until: Date.now() })
  }
  return records
}

function listFaults({ database: { db, url }, nodes, nodeSettings, depot }: FaultTargets, signal: AbortSignal) {
  const [restart = '', death = '', crash = ''] = outages
  const faults: { name: string; act(): Promise<void> }[] = [
    { name: restart, act: async () => void process.kill(await getPostmaster(db), 'SIGINT') },
    {
      name: depotLoss,
      async act() {
        await depot.kill()
        await pause(secondsOfLoss, signal)
        await depot.start()
      },
    },
    { name: death, act: () => replaceFirstNode(nodes, url, nodeSettings) },
    { name: 'the disk is slow for a while', act: () => slowDownCommits(db, signal) },
    { name: crash, act: async () => void process.kill(await getPostmaster(db), 'SIGKILL') },
  ]
  return faults
}

/** The new node has the same address, so the balancer finds it. */
async function replaceFirstNode(nodes: Node[], databaseUrl: string, settings: Record<string, string>): Promise<void> {
  const [first] = nodes
  if (!first) return
  await first.kill()
  nodes[0] = await startNode(databaseUrl, { ...settings, MUSTER_PORT: new URL(first.address).port })
}

/** Delays each commit, as an overloaded disk would. */
async function slowDownCommits(db: Database, signal: AbortSignal): Promise<void> {
  const setDelay = async (microseconds: number) => {
    await sql`alter system set commit_delay = ${sql.lit(microseconds)}`.execute(db)
    await sql`alter system set commit_siblings = 0`.execute(db)
    await sql`select pg_reload_conf()`.execute(db)
  }
  await setDelay(slowCommitMicroseconds)
  await pause(secondsOfSlowDisk, signal)
  await setDelay(0)
}
