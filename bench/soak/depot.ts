import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Database } from '../../server/src/database/connect.ts'
import { type Api, until } from '../api.ts'
import { findFreePort } from '../free-port.ts'
import { reportTarget } from '../target.ts'

const program = join(import.meta.dirname, '../../server/src/depot-server/main.ts')

export type Depot = {
  clientId: number
  url: string
  start(): Promise<void>
  kill(): Promise<void>
  stop(): Promise<void>
}

/** Registers and starts a real depot. It has the same address after each start. */
export async function openDepot(api: Api, master: string, folder: string): Promise<Depot> {
  const computer = { name: 'soak-depot', domain: 'soak.example', isDomain: true, macAddress: '02-00-00-00-00-01' }
  const { id } = await api.post<{ id: number }>('/api/computer', computer)
  const computerRoles = [{ name: computer.name, domain: computer.domain, role: 'DepotServer' }]
  await api.post('/api/catalog/apply', { catalog: { computerRoles } })
  const { credential } = await api.post<{ credential: string }>(`/api/depots/${id}/credential`)
  const port = await findFreePort()
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
      end = await startDepotProcess(environment)
    },
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
  }
  await depot.start()
  return depot
}

/** Starts the depot. Returns a function that ends it with a signal. */
async function startDepotProcess(env: NodeJS.ProcessEnv): Promise<(signal: NodeJS.Signals) => Promise<void>> {
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

/** Lists the hashes of the files that every depot must have. */
async function listPackageFiles(db: Database): Promise<string[]> {
  const rows = await db.selectFrom('package_files').select('sha256').distinct().execute()
  return rows.map(({ sha256 }) => sha256.toString('hex'))
}

/** Counts the files that the depot serves with the right content. */
async function countServedFiles({ url }: Depot, hashes: readonly string[]): Promise<number> {
  const isServed = await Promise.all(
    hashes.map(async (sha256) => {
      const answer = await fetch(`${url}/files/${sha256}`)
      const content = Buffer.from(await answer.arrayBuffer())
      return answer.ok && createHash('sha256').update(content).digest('hex') === sha256
    }),
  )
  return isServed.filter(Boolean).length
}

export async function waitForFiles(db: Database, depot: Depot): Promise<void> {
  const hashes = await listPackageFiles(db)
  await until(
    async () => (hashes.length > 0 && (await countServedFiles(depot, hashes)) === hashes.length) || undefined,
    'the depot to download all packages',
  )
}

/** Checks that the depot is online again after its loss and has all files. */
export async function reportDepot(db: Database, api: Api, depot: Depot, restartedAt: number): Promise<void> {
  type Listed = { items: { clientId: number; heartbeat: string; lastHeartbeatUtc: string | null }[] }
  const { items } = await api.get<Listed>('/api/system/sync-jobs/depots')
  const own = items.find(({ clientId }) => clientId === depot.clientId)
  const isOnline = own?.heartbeat === 'online' && Date.parse(own.lastHeartbeatUtc ?? '') > restartedAt
  const hashes = await listPackageFiles(db)
  const served = await countServedFiles(depot, hashes)
  reportTarget(
    `the depot is ${isOnline ? 'online again' : 'NOT online'} and has ${served} of ${hashes.length} files`,
    isOnline && served === hashes.length,
  )
}
