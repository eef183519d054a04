import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Database } from '../src/database/connect.ts'
import { startCpuProfile } from './cpu-profile.ts'
import { freePort } from './free-port.ts'
import { type Node, startNode } from './nodes.ts'
import { postmasterOf, secondsOf, secondsOfMachine } from './processor-time.ts'
import type { BenchService } from './service.ts'
import { enrolledComputers, type Report, type SimulatedComputers, settle } from './simulated-computers.ts'
import { busiestStatements, resetStatements } from './statement-statistics.ts'
import { type Answered, type Read, startSteadyReads } from './steady-reads.ts'
import { withSweptFleet } from './sweeps.ts'
import { startWaits } from './waits.ts'

const storedComputers = 100_000
/** They come as often as a fleet of the wanted size would with its interval. */
const callingComputers = 5_000
const seed = 57
const domain = 'system.example.org'
const contactInterval = 60
const minutesBetweenChanges = 8 * 60
const minutesBetweenScans = 24 * 60
const secondsPerStep = 20
const secondsOfExplanation = 30
const firstFleet = 30_000
const growth = 1.3
const longestP99 = 500

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
  reads: Answered
  sweeps: Answered
  /** Cores that were busy with it. */
  service: number
  database: number
  /** With everything, the simulator and the readers too. */
  machine: number
}

/** What is measured, and the computers that call it. */
type Bench = { service: BenchService; node: Node; computers: SimulatedComputers }

const workers = Number(process.env.MUSTER_BENCH_WORKERS ?? 1)

/** The largest fleet that one node serves on this machine, beside people who read and sweep. */
export async function benchSystem(): Promise<void> {
  await withSweptFleet(storedComputers, async (service) => {
    const folder = await mkdtemp(join(tmpdir(), 'muster-bench-'))
    const inspectorPort = await freePort(workers + 1)
    const settings = { MUSTER_ENROLMENT_RATE_LIMIT: '0', MUSTER_WORKERS: String(workers) }
    const node = await startNode(service.database.url, settings, [`--inspect=127.0.0.1:${inspectorPort}`])
    try {
      // A fleet that is kept may have the callers of an earlier run.
      await removeCallers(service.database.db)
      const computers = await enrolledComputers({
        address: node.address,
        headers: service.headers,
        computers: callingComputers,
        folder,
        scenario: { seed, domain, connections: 256, 'reboots.perDay': 0, 'enrolment.perSecond': 1_000 },
      })
      const bench = { service, node, computers }
      const served = report(await climb(bench))
      // Node gives the first worker the next port.
      if (served) await explain(bench, served, workers > 1 ? inspectorPort + 1 : inspectorPort)
    } finally {
      await node.stop()
      if (process.env.MUSTER_BENCH_DATA) await removeCallers(service.database.db)
      await rm(folder, { recursive: true })
    }
  })
}

/** In steps, each well below the limit for one statement: what belongs to them goes, too. */
async function removeCallers(db: Database): Promise<void> {
  for (let removed = 1n; removed > 0n; ) {
    const { numDeletedRows } = await db
      .deleteFrom('computers')
      .where('id', 'in', (some) => some.selectFrom('computers').select('id').where('domain', '=', domain).limit(200))
      .executeTakeFirst()
    removed = numDeletedRows
  }
}

/** Larger and larger fleets, until one is too large. */
async function climb(bench: Bench): Promise<Step[]> {
  const steps: Step[] = []
  for (let fleet = firstFleet; ; fleet = Math.round((fleet * growth) / 1000) * 1000) {
    await settle(bench.computers, callingComputers, paceOf(fleet))
    const step = await measure(bench, fleet, secondsPerStep)
    steps.push(step)
    console.log(sentence(step))
    if (!isServed(step)) return steps
  }
}

/** Each caller does the contacts, changes of inventory and patch scans of several computers of the fleet. */
function paceOf(fleet: number) {
  const standsFor = fleet / callingComputers
  const scenario = {
    // Those that are enrolled come in with this, too: spread over an interval.
    'enrolment.perSecond': fleet / contactInterval,
    'inventory.changeMinutes': minutesBetweenChanges / standsFor,
    'patchScan.everyMinutes': minutesBetweenScans / standsFor,
  }
  return { intervalSeconds: contactInterval / standsFor, scenario }
}

async function measure({ service, node, computers }: Bench, fleet: number, seconds: number): Promise<Step> {
  const { database, headers } = service
  const { intervalSeconds, scenario } = paceOf(fleet)
  const postmaster = await postmasterOf(database.db)
  const usedSoFar = async () => [...(await Promise.all([node.pid, postmaster].map(secondsOf))), secondsOfMachine()]
  const usedBefore = await usedSoFar()
  const readers = startSteadyReads(node.address, headers, { perSecond: readsPerSecond, reads })
  const sweepers = startSteadyReads(node.address, headers, { perSecond: sweepsPerSecond, reads: sweeps })
  const report = await computers.run(seconds, intervalSeconds, scenario)
  const [read, swept] = await Promise.all([readers.stop(), sweepers.stop()])
  const used = await usedSoFar()
  const cores = (at: number) => ((used[at] ?? 0) - (usedBefore[at] ?? 0)) / report.seconds
  return { fleet, report, reads: read, sweeps: swept, service: cores(0), database: cores(1), machine: cores(2) }
}

/** Once more at the size that is served, to see where the time goes. */
async function explain(bench: Bench, { fleet }: Step, inspectorPort: number): Promise<void> {
  const { database } = bench.service
  await settle(bench.computers, callingComputers, paceOf(fleet))
  await resetStatements(database.db)
  const waits = await startWaits(database.url)
  const profile = await startCpuProfile(inspectorPort)
  const step = await measure(bench, fleet, secondsOfExplanation)
  const { idleShare, byPlace, byFunction } = await profile.stop()
  const waited = await waits.stop()
  console.log(`\nOnce more with a profile: ${sentence(step)}`)
  console.table(step.report.operations)
  const profiled = workers > 1 ? `one of ${workers} worker processes` : 'the service'
  console.log(`Where the busy time of ${profiled} goes; ${Math.round(idleShare * 100)} % of the time it is idle:`)
  console.table(byPlace)
  console.table(byFunction)
  console.log('Where the time of the database goes:')
  console.table(await busiestStatements(database.db))
  console.log('What its backends do:')
  console.table(waited)
}

const contactsOf = ({ report }: Step) => report.operations.find(({ operation }) => operation === 'contact')

function isServed(step: Step): boolean {
  const contacts = contactsOf(step)
  const wanted = step.fleet / contactInterval
  return (
    (contacts?.p99 ?? Number.POSITIVE_INFINITY) <= longestP99 &&
    step.reads.p99 <= longestP99 &&
    step.reads.failed + step.sweeps.failed + (contacts?.failed ?? 0) === 0 &&
    (contacts?.perSecond ?? 0) > 0.9 * wanted
  )
}

function sentence(step: Step): string {
  const contacts = contactsOf(step)
  return [
    `${step.fleet} computers: ${contacts?.perSecond} contacts per second`,
    `p99 ${contacts?.p99} ms, reads ${step.reads.p99} ms, sweeps ${step.sweeps.p99} ms`,
    `cores: service ${step.service.toFixed(2)}, database ${step.database.toFixed(2)}, simulator ${step.report.simulator.cpuShare}, all ${step.machine.toFixed(2)}`,
    isServed(step) ? 'served' : 'NOT served',
  ].join('; ')
}

function rowOf(step: Step) {
  const contacts = contactsOf(step)
  return {
    computers: step.fleet,
    'contacts per second': contacts?.perSecond,
    'p99 of contacts': contacts?.p99,
    'of reads': step.reads.p99,
    'of sweeps': step.sweeps.p99,
    'cores of the service': Number(step.service.toFixed(2)),
    'of the database': Number(step.database.toFixed(2)),
    'of the simulator': step.report.simulator.cpuShare,
    'of all': Number(step.machine.toFixed(2)),
    served: isServed(step),
  }
}

function report(steps: readonly Step[]): Step | undefined {
  console.table(steps.map(rowOf))
  const best = steps.filter(isServed).at(-1)
  if (!best) {
    console.log(`Not even ${firstFleet} computers are served.`)
    process.exitCode = 1
    return undefined
  }
  const cores = best.service + best.database
  const last = steps.at(-1) ?? best
  console.log(`
The largest fleet that is served: ${best.fleet} computers with a contact each minute, on a machine of ${availableParallelism()} cores
that also runs the simulator. ${Math.round(best.fleet / cores)} computers for each core that service and database use.
${whatSaturates(last)}`)
  return best
}

function whatSaturates({ service, machine }: Step): string {
  if (workers === 1 && service > 0.9)
    return 'First the one thread of the service is busy all the time: more workers would serve more.'
  if (machine > 0.9 * availableParallelism()) return 'First all cores are busy: a larger machine would serve more.'
  return 'First the answers become slow while no core is busy all the time: look at the waits of the database.'
}
