import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Database } from '../../src/database/connect.ts'
import { type Api, until } from '../api.ts'
import { freePort } from '../free-port.ts'
import { verdict } from '../verdict.ts'

const program = join(import.meta.dirname, '../../src/depot-server/main.ts')

export type Depot = {
  clientId: number
  url: string
  start(): Promise<void>
  kill(): Promise<void>
  stop(): Promise<void>
}

/** A real depot, known to the service and started. It is at the same address each time. */
export async function openDepot(api: Api, master: string, folder: string): Promise<Depot> {
  const computer = { name: 'soak-depot', domain: 'soak.example', isDomain: true, macAddress: '02-00-00-00-00-01' }
  const { id } = await api.post<{ id: number }>('/api/computer', computer)
  const computerRoles = [{ name: computer.name, domain: computer.domain, role: 'DepotServer' }]
  await api.post('/api/catalog/apply', { catalog: { computerRoles } })
  const { credential } = await api.post<{ credential: string }>(`/api/depots/${id}/credential`)
  const port = await freePort()
  const environment = {
    PATH: process.env.PATH,
    MUSTER_PORT: String(port),
    MUSTER_LOG_LEVEL: 'error',
    MUSTER_DEPOT_MASTER: master,
    MUSTER_DEPOT_CREDENTIAL: credential,
    MUSTER_DEPOT_DIR: folder,
    MUSTER_DEPOT_HEARTBEAT_SECONDS: '2',
  }
  let end = async (_signal: NodeJS.Signals) => {}
  const depot = {
    clientId: id,
    url: `http://127.0.0.1:${port}`,
    async start() {
      end = await startedDepot(environment)
    },
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
  }
  await depot.start()
  return depot
}

/** Returns what ends it. */
async function startedDepot(env: NodeJS.ProcessEnv): Promise<(signal: NodeJS.Signals) => Promise<void>> {
  const child = spawn(process.execPath, [program], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const exited = once(child, 'exit')
  for await (const line of createInterface(child.stdout)) {
    if (!line.startsWith('The depot is ready')) continue
    child.stdout.resume()
    return async (signal) => {
      child.kill(signal)
      await exited
    }
  }
  throw new Error('The depot ended before it was ready.')
}

/** Hashes of the files that all depots are to hold. */
async function wantedFiles(db: Database): Promise<string[]> {
  const rows = await db.selectFrom('package_files').select('sha256').distinct().execute()
  return rows.map(({ sha256 }) => sha256.toString('hex'))
}

/** How many of the files the depot hands out with their right content. */
async function heldFiles({ url }: Depot, wanted: readonly string[]): Promise<number> {
  const held = await Promise.all(
    wanted.map(async (sha256) => {
      const answer = await fetch(`${url}/files/${sha256}`)
      const content = Buffer.from(await answer.arrayBuffer())
      return answer.ok && createHash('sha256').update(content).digest('hex') === sha256
    }),
  )
  return held.filter(Boolean).length
}

export async function untilFilled(db: Database, depot: Depot): Promise<void> {
  const wanted = await wantedFiles(db)
  await until(
    async () => (wanted.length > 0 && (await heldFiles(depot, wanted)) === wanted.length) || undefined,
    'the depot gets the packages',
  )
}

/** Looks whether a depot that was lost is there again with everything. */
export async function tellDepot(db: Database, api: Api, depot: Depot, startedAgainAt: number): Promise<void> {
  type Listed = { items: { clientId: number; heartbeat: string; lastHeartbeatUtc: string | null }[] }
  const { items } = await api.get<Listed>('/api/system/sync-jobs/depots')
  const own = items.find(({ clientId }) => clientId === depot.clientId)
  const isHeard = own?.heartbeat === 'online' && Date.parse(own.lastHeartbeatUtc ?? '') > startedAgainAt
  const wanted = await wantedFiles(db)
  const held = await heldFiles(depot, wanted)
  verdict(
    `the depot is ${isHeard ? 'heard of again' : 'not heard of'} and holds ${held} of ${wanted.length} files`,
    isHeard && held === wanted.length,
  )
}
