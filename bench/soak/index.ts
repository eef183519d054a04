import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { apiOf } from '../api.ts'
import { hasBalancer, withBalancer } from '../balancer.ts'
import { growFleet } from '../fleet.ts'
import { type Node, startNode } from '../nodes.ts'
import { type BenchService, withService } from '../service.ts'
import { enrolComputers, settle } from '../simulated-computers.ts'
import { type Read, startSteadyReads } from '../steady-reads.ts'
import { openDepot, reportDepot, waitForFiles } from './depot.ts'
import { minutes, seconds } from './duration.ts'
import { reportErrors } from './errors.ts'
import { depotLoss, injectFaults } from './faults.ts'
import { collectSamples, reportGrowth, type Sample, worstTable } from './growth.ts'
import { reportOutages, startProbe } from './probe.ts'
import { activateWaves, prepareWork, reportWork, reportWorkWithoutDepot } from './work.ts'

const fleet = Number(process.env.MUSTER_BENCH_FLEET ?? 20_000)
/** They make as many contacts as the whole fleet would with one contact per minute. */
const callingComputers = 1_000
const computersPerCaller = fleet / callingComputers
const intervalSeconds = 60 / computersPerCaller
const storedComputers = Math.min(fleet, 25_000)

const reads: Read[] = ['', '/issues', '/inventory/installed-software?top=100', '/software-deployment'].map((part) => ({
  path: `/api/computer/777${part}`,
}))
const readsPerSecond = 5

type SoakSystem = {
  service: BenchService
  nodes: Node[]
  nodeSettings: Record<string, string>
  /** Address of the balancer. */
  address: string
  folder: string
}

/** Runs contacts, inventories and work on two nodes and a depot for a long time, while parts of the system fail. */
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

async function soak(system: SoakSystem): Promise<void> {
  const { service, nodes, nodeSettings, address, folder } = system
  const { database, headers } = service
  const api = apiOf(address, headers)
  const work = await prepareWork(api, nodeSettings.MUSTER_PACKAGE_STORE ?? '')
  const depot = await openDepot(api, address, join(folder, 'depot'))
  const ended = new AbortController()
  try {
    await waitForFiles(database.db, depot)
    await api.put(`/api/group/${work.group}/depot-servers`, { depotServers: [depot.clientId] })
    const { computers, live } = await enrolCallers(system, work.waves)
    await settle(computers, callingComputers, { intervalSeconds })
    const samples: Sample[] = []
    const stopLines = startProgressLines(samples, live)
    const reading = startSteadyReads(address, headers, { perSecond: readsPerSecond, reads })
    const beside = Promise.all([
      collectSamples(database.db, nodes, samples, ended.signal),
      startProbe(address, api, ended.signal),
      activateWaves(api, work.waves, ended.signal),
      injectFaults({ database, nodes, nodeSettings, depot }, ended.signal),
    ])
    const running = computers.run(seconds, intervalSeconds).finally(() => ended.abort())
    const [report, [, probed, activated, faults]] = await Promise.all([running, beside])
    stopLines()
    const answered = await reading.stop()
    reportErrors(report, answered)
    reportOutages(faults, probed)
    await reportWork(database.db, report, activated)
    await reportWorkWithoutDepot(database.db, report, faults)
    await reportDepot(database.db, api, depot, faults.find(({ name }) => name === depotLoss)?.until ?? 0)
    reportGrowth(samples, nodes)
  } finally {
    ended.abort()
    await depot.stop()
  }
}

async function enrolCallers({ address, folder, service: { headers } }: SoakSystem, groups: readonly string[]) {
  const live = { line: '' }
  const computers = await enrolComputers({
    address,
    headers,
    computers: callingComputers,
    folder,
    groups,
    scenario: {
      connections: 64,
      'enrolment.perSecond': 200,
      'inventory.changeMinutes': (8 * 60) / computersPerCaller,
      'patchScan.everyMinutes': (24 * 60) / computersPerCaller,
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

/** Prints a progress line every minute, or ten times in a short run. */
function startProgressLines(samples: readonly Sample[], live: { line: string }): () => void {
  const timer = setInterval(
    () => {
      const last = samples.at(-1)
      if (!last) return
      const { name, share } = worstTable(last)
      const memory = last.megabytes.map((one) => `${one} MB`).join(' and ')
      console.log(`${live.line}; nodes ${memory}; largest share of dead rows: ${share.toFixed(2)} in ${name}`)
    },
    Math.min(60_000, minutes * 6_000),
  )
  return () => clearInterval(timer)
}
