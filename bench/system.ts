import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Database } from '../server/src/database/connect.ts'
import { startCpuProfile } from './cpu-profile.ts'
import { findFreePort } from './free-port.ts'
import { type Node, startNode } from './nodes.ts'
import { getPostmaster, processorSecondsOf, processorSecondsOfMachine } from './processor-time.ts'
import type { BenchService } from './service.ts'
import { enrolComputers, type Report, type SimulatedComputers, settle } from './simulated-computers.ts'
import { listBusiestStatements, resetStatementStatistics } from './statement-statistics.ts'
import { type Read, type ReadFigures, startSteadyReads } from './steady-reads.ts'
import { withSweptFleet } from './sweeps.ts'
import { startWaitSampling } from './waits.ts'

const storedComputers = 100_000
/** They make as many contacts as the whole fleet would. */
const callingComputers = 5_000
const seed = 57
const domain = 'system.example.org'
const contactInterval = 60
const minutesBetweenChanges = 8 * 60
const minutesBetweenScans = 24 * 60
const secondsPerStep = 20
const secondsOfProfile = 30
const firstFleet = 30_000
const growth = 1.3
const maxP99Milliseconds = 500

const reads: Read[] = [
  { path: '/api/computer/4711' },
  { path: '/api/computer?top=50' },
  { path: '/api/computer/4711/issues' },
  { path: '/api/computer/4711/inventory/installed-software?top=100' },
  { path: '/api/computer/4711/software-deployment' },
]
const readsPerSecond = 10

const sweeps: Read[] = ['low-disk', 'stale-agent', 'failed-deployment', 'missing-patch', 'overview'].map((name) => ({
  path: `/api/computer/issues/${name}`,
}))
const sweepsPerSecond = 0.5

type Step = {
  fleet: number
  report: Report
  reads: ReadFigures
  sweeps: ReadFigures
  /** Busy cores on average. */
  service: number
  database: number
  /** Includes the simulator and the readers. */
  machine: number
}

/** The service under test and the computers that call it. */
type Bench = { service: BenchService; node: Node; computers: SimulatedComputers }

const workers = Number(process.env.MUSTER_BENCH_WORKERS ?? 1)

/** Finds the largest fleet that one node serves on this machine, during reads and sweeps. */
export async function benchSystem(): Promise<void> {
  await withSweptFleet(storedComputers, async (service) => {
    const folder = await mkdtemp(join(tmpdir(), 'muster-bench-'))
    const inspectorPort = await findFreePort(workers + 1)
    const settings = { MUSTER_ENROLMENT_RATE_LIMIT: '0', MUSTER_WORKERS: String(workers) }
    const node = await startNode(service.database.url, settings, [`--inspect=127.0.0.1:${inspectorPort}`])
    try {
      // A reused fleet may contain the callers of an earlier run.
      await removeCallers(service.database.db)
      const computers = await enrolComputers({
        address: node.address,
        headers: service.headers,
        computers: callingComputers,
        folder,
        scenario: { seed, domain, connections: 256, 'reboots.perDay': 0, 'enrolment.perSecond': 1_000 },
      })
      const bench = { service, node, computers }
      const served = report(await measureGrowingFleets(bench))
      // The inspector of the first worker listens on the next port.
      if (served) await profile(bench, served, workers > 1 ? inspectorPort + 1 : inspectorPort)
    } finally {
      await node.stop()
      if (process.env.MUSTER_BENCH_DATA) await removeCallers(service.database.db)
      await rm(folder, { recursive: true })
    }
  })
}

/** In steps so that each statement stays within the timeout: related rows are deleted, too. */
async function removeCallers(db: Database): Promise<void> {
  for (let removed = 1n; removed > 0n; ) {
    const { numDeletedRows } = await db
      .deleteFrom('computers')
      .where('id', 'in', (some) => some.selectFrom('computers').select('id').where('domain', '=', domain).limit(200))
      .executeTakeFirst()
    removed = numDeletedRows
  }
}

/** Measures ever larger fleets until one is not served. */
async function measureGrowingFleets(bench: Bench): Promise<Step[]> {
  const steps: Step[] = []
  for (let fleet = firstFleet; ; fleet = Math.round((fleet * growth) / 1000) * 1000) {
    await settle(bench.computers, callingComputers, paceOf(fleet))
    const step = await measure(bench, fleet, secondsPerStep)
    steps.push(step)
    console.log(formatStep(step))
    if (!isServed(step)) return steps
  }
}

/** Each caller makes the contacts, inventory changes and patch scans of several computers of the fleet. */
function paceOf(fleet: number) {
  const computersPerCaller = fleet / callingComputers
  const scenario = {
    // This also spreads the first contacts of enrolled computers over one interval.
    'enrolment.perSecond': fleet / contactInterval,
    'inventory.changeMinutes': minutesBetweenChanges / computersPerCaller,
    'patchScan.everyMinutes': minutesBetweenScans / computersPerCaller,
  }
  return { intervalSeconds: contactInterval / computersPerCaller, scenario }
}

async function measure({ service, node, computers }: Bench, fleet: number, seconds: number): Promise<Step> {
  const { database, headers } = service
  const { intervalSeconds, scenario } = paceOf(fleet)
  const postmaster = await getPostmaster(database.db)
  const usedSoFar = async () => [
    ...(await Promise.all([node.pid, postmaster].map(processorSecondsOf))),
    processorSecondsOfMachine(),
  ]
  const usedBefore = await usedSoFar()
  const readers = startSteadyReads(node.address, headers, { perSecond: readsPerSecond, reads })
  const sweepers = startSteadyReads(node.address, headers, { perSecond: sweepsPerSecond, reads: sweeps })
  const report = await computers.run(seconds, intervalSeconds, scenario)
  const [read, swept] = await Promise.all([readers.stop(), sweepers.stop()])
  const used = await usedSoFar()
  const cores = (at: number) => ((used[at] ?? 0) - (usedBefore[at] ?? 0)) / report.seconds
  return { fleet, report, reads: read, sweeps: swept, service: cores(0), database: cores(1), machine: cores(2) }
}

/** Measures the largest served fleet again, with a profile of where the time goes. */
async function profile(bench: Bench, { fleet }: Step, inspectorPort: number): Promise<void> {
  const { database } = bench.service
  await settle(bench.computers, callingComputers, paceOf(fleet))
  await resetStatementStatistics(database.db)
  const waits = await startWaitSampling(database.url)
  const cpuProfile = await startCpuProfile(inspectorPort)
  const step = await measure(bench, fleet, secondsOfProfile)
  const { idleShare, byPlace, byFunction } = await cpuProfile.stop()
  const waited = await waits.stop()
  console.log(`\nAgain with a profile: ${formatStep(step)}`)
  console.table(step.report.operations)
  const profiled = workers > 1 ? `one of ${workers} worker processes` : 'the service'
  console.log(`Busy time of ${profiled}, which was idle for ${Math.round(idleShare * 100)} % of the time:`)
  console.table(byPlace)
  console.table(byFunction)
  console.log('Time in the database by statement:')
  console.table(await listBusiestStatements(database.db))
  console.log('Waits of database backends:')
  console.table(waited)
}

const contactsOf = ({ report }: Step) => report.operations.find(({ operation }) => operation === 'contact')

function isServed(step: Step): boolean {
  const contacts = contactsOf(step)
  const expected = step.fleet / contactInterval
  return (
    (contacts?.p99 ?? Number.POSITIVE_INFINITY) <= maxP99Milliseconds &&
    step.reads.p99 <= maxP99Milliseconds &&
    step.reads.failed + step.sweeps.failed + (contacts?.failed ?? 0) === 0 &&
    (contacts?.perSecond ?? 0) > 0.9 * expected
  )
}

function formatStep(step: Step): string {
  const contacts = contactsOf(step)
  return [
    `${step.fleet} computers: ${contacts?.perSecond} contacts per second`,
    `p99 ${contacts?.p99} ms, reads ${step.reads.p99} ms, sweeps ${step.sweeps.p99} ms`,
    `cores: service ${step.service.toFixed(2)}, database ${step.database.toFixed(2)}, simulator ${step.report.simulator.cpuShare}, total ${step.machine.toFixed(2)}`,
    isServed(step) ? 'served' : 'NOT served',
  ].join('; ')
}

function toRow(step: Step) {
  const contacts = contactsOf(step)
  return {
    computers: step.fleet,
    'contacts per second': contacts?.perSecond,
    'p99 ms of contacts': contacts?.p99,
    'p99 ms of reads': step.reads.p99,
    'p99 ms of sweeps': step.sweeps.p99,
    'cores: service': Number(step.service.toFixed(2)),
    'cores: database': Number(step.database.toFixed(2)),
    'cores: simulator': step.report.simulator.cpuShare,
    'cores: total': Number(step.machine.toFixed(2)),
    served: isServed(step),
  }
}

function report(steps: readonly Step[]): Step | undefined {
  console.table(steps.map(toRow))
  const best = steps.filter(isServed).at(-1)
  if (!best) {
    console.log(`The smallest fleet, ${firstFleet} computers, is not served.`)
    process.exitCode = 1
    return undefined
  }
  const cores = best.service + best.database
  const last = steps.at(-1) ?? best
  console.log(`
The largest fleet that is served: ${best.fleet} computers with a contact per minute, on a machine with ${availableParallelism()} cores
that also runs the simulator. ${Math.round(best.fleet / cores)} computers per core that the service and the database use.
${describeLimit(last)}`)
  return best
}

function describeLimit({ service, machine }: Step): string {
  if (workers === 1 && service > 0.9)
    return 'The limit is the single thread of the service. More workers would serve more computers.'
  if (machine > 0.9 * availableParallelism())
    return 'The limit is the number of cores. A larger machine would serve more computers.'
  return 'Answers become slow although no core is saturated. Look at the waits of the database.'
}
