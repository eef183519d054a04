import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { apiOf } from '../api.ts'
import { hasBalancer, withBalancer } from '../balancer.ts'
import { growFleet } from '../fleet.ts'
import { type Node, startNode } from '../nodes.ts'
import { type BenchService, withService } from '../service.ts'
import { enrolledComputers, settle } from '../simulated-computers.ts'
import { type Read, startSteadyReads } from '../steady-reads.ts'
import { openDepot, tellDepot, untilFilled } from './depot.ts'
import { tellErrors } from './errors.ts'
import { depotLoss, happen } from './faults.ts'
import { type Look, tellGrowth, watch, worstTable } from './growth.ts'
import { minutes, seconds } from './length.ts'
import { startProbe, tellOutages } from './probe.ts'
import { activateWaves, prepareWork, tellWork, tellWorkWithoutDepot } from './work.ts'

const fleet = Number(process.env.MUSTER_BENCH_FLEET ?? 20_000)
/** They come as often as the fleet would with a contact each minute. */
const callingComputers = 1_000
const standsFor = fleet / callingComputers
const intervalSeconds = 60 / standsFor
const storedComputers = Math.min(fleet, 25_000)

const reads: Read[] = ['', '/issues', '/inventory/installed-software?top=100', '/software-deployment'].map((part) => ({
  path: `/api/computer/777${part}`,
}))
const readsPerSecond = 5

type Place = {
  service: BenchService
  nodes: Node[]
  nodeSettings: Record<string, string>
  /** Of the balancer. */
  address: string
  folder: string
}

/** Contacts, inventories and work on two nodes and a depot for a long time, while parts of the system fail. */
export async function benchSoak(): Promise<void> {
  if (!hasBalancer()) {
    console.log('SKIPPED: HAProxy is not installed (Debian: apt-get install haproxy).')
    return
  }
  const run = async (service: BenchService) => {
    await growFleet(service.database.db, storedComputers)
    const folder = await mkdtemp(join(tmpdir(), 'muster-bench-'))
    const nodeSettings = { MUSTER_ENROLMENT_RATE_LIMIT: '0', MUSTER_PACKAGE_STORE: join(folder, 'packages') }
    const nodes = await Promise.all([0, 1].map(() => startNode(service.database.url, nodeSettings)))
    try {
      await withBalancer([nodes], ([address = '']) => soak({ service, nodes, nodeSettings, address, folder }))
    } finally {
      await Promise.all(nodes.map(({ stop }) => stop()))
      await rm(folder, { recursive: true })
    }
  }
  await withService(run, { MUSTER_TOKEN_LIFETIME: '86400' })
}

async function soak(place: Place): Promise<void> {
  const { service, nodes, nodeSettings, address, folder } = place
  const { database, headers } = service
  const api = apiOf(address, headers)
  const work = await prepareWork(api, nodeSettings.MUSTER_PACKAGE_STORE ?? '')
  const depot = await openDepot(api, address, join(folder, 'depot'))
  const ended = new AbortController()
  try {
    await untilFilled(database.db, depot)
    await api.put(`/api/group/${work.group}/depot-servers`, { depotServers: [depot.clientId] })
    const { computers, live } = await callers(place, work.waves)
    await settle(computers, callingComputers, { intervalSeconds })
    const looks: Look[] = []
    const stopLines = tellEachMinute(looks, live)
    const reading = startSteadyReads(address, headers, { perSecond: readsPerSecond, reads })
    const beside = Promise.all([
      watch(database.db, nodes, looks, ended.signal),
      startProbe(address, api, ended.signal),
      activateWaves(api, work.waves, ended.signal),
      happen({ database, nodes, nodeSettings, depot }, ended.signal),
    ])
    const running = computers.run(seconds, intervalSeconds).finally(() => ended.abort())
    const [report, [, probed, activated, happened]] = await Promise.all([running, beside])
    stopLines()
    const answered = await reading.stop()
    tellErrors(report, answered)
    tellOutages(happened, probed)
    await tellWork(database.db, report, activated)
    await tellWorkWithoutDepot(database.db, report, happened)
    await tellDepot(database.db, api, depot, happened.find(({ name }) => name === depotLoss)?.until ?? 0)
    tellGrowth(looks, nodes)
  } finally {
    ended.abort()
    await depot.stop()
  }
}

async function callers({ address, folder, service: { headers } }: Place, groups: readonly string[]) {
  const live = { line: '' }
  const computers = await enrolledComputers({
    address,
    headers,
    computers: callingComputers,
    folder,
    groups,
    scenario: {
      connections: 64,
      'enrolment.perSecond': 200,
      'inventory.changeMinutes': (8 * 60) / standsFor,
      'patchScan.everyMinutes': (24 * 60) / standsFor,
      'work.downloadsFiles': true,
      'shares.suspended': 0,
      'reboots.downSeconds': 15,
    },
    onProgress: (line) => {
      live.line = line
    },
  })
  return { computers, live }
}

/** Half an hour need not be silent. */
function tellEachMinute(looks: readonly Look[], live: { line: string }): () => void {
  const timer = setInterval(
    () => {
      const last = looks.at(-1)
      if (!last) return
      const { name, share } = worstTable(last)
      const memory = last.megabytes.map((one) => `${one} MB`).join(' and ')
      console.log(`${live.line}; nodes ${memory}; most dead rows ${share.toFixed(2)} in ${name}`)
    },
    Math.min(60_000, minutes * 6_000),
  )
  return () => clearInterval(timer)
}
