import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Node, startNode } from './nodes.ts'
import { postmasterOf, secondsOf } from './processor-time.ts'
import type { BenchService } from './service.ts'
import { enrolledComputers, type Report, type SimulatedComputers } from './simulated-computers.ts'
import { busiestStatements, resetStatements } from './statement-statistics.ts'
import { type Answered, type Read, startSteadyReads } from './steady-reads.ts'
import { withSweptFleet } from './sweeps.ts'

const storedComputers = 100_000
/** They come as often as a fleet of the wanted size would with its interval. */
const callingComputers = 5_000
const contactInterval = 60
const secondsPerStep = 20
const firstFleet = 30_000
const growth = 1.3
const longestP99 = 500

const reads: Read[] = [
  { path: '/api/computer/4711' },
  { path: '/api/computer?top=50' },
  { path: '/api/computer/4711/issues' },
  { path: '/api/computer/4711/inventory/software?top=100' },
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
}

/** The largest fleet that one process serves on this machine, beside people who read and sweep. */
export async function benchSystem(): Promise<void> {
  await withSweptFleet(storedComputers, async (service) => {
    const folder = await mkdtemp(join(tmpdir(), 'muster-bench-'))
    const node = await startNode(service.database.url, { MUSTER_ENROLMENT_RATE_LIMIT: '0' })
    try {
      const computers = await enrolledComputers({
        address: node.address,
        headers: service.headers,
        computers: callingComputers,
        folder,
        scenario: {
          connections: 64,
          'enrolment.perSecond': 1_000,
          'inventory.isSent': false,
          'patchScan.everyMinutes': 100_000,
          'reboots.perDay': 0,
        },
      })
      await resetStatements(service.database.db)
      report(await climb(service, node, computers))
      console.log('\nWhere the time of the database went:')
      console.table(await busiestStatements(service.database.db))
    } finally {
      await node.stop()
      await rm(folder, { recursive: true })
    }
  })
}

/** Larger and larger fleets, until one is too large. */
async function climb(service: BenchService, node: Node, computers: SimulatedComputers): Promise<Step[]> {
  const steps: Step[] = []
  for (let fleet = firstFleet; ; fleet = Math.round((fleet * growth) / 1000) * 1000) {
    const step = await measure(service, node, computers, fleet)
    steps.push(step)
    console.log(sentence(step))
    if (!isServed(step)) return steps
  }
}

async function measure({ database, headers }: BenchService, node: Node, computers: SimulatedComputers, fleet: number) {
  const postmaster = await postmasterOf(database.db)
  const usedBefore = await Promise.all([node.pid, postmaster].map(secondsOf))
  const readers = startSteadyReads(node.address, headers, { perSecond: readsPerSecond, reads })
  const sweepers = startSteadyReads(node.address, headers, { perSecond: sweepsPerSecond, reads: sweeps })
  const report = await computers.run(secondsPerStep, (contactInterval * callingComputers) / fleet)
  const [read, swept] = await Promise.all([readers.stop(), sweepers.stop()])
  const used = await Promise.all([node.pid, postmaster].map(secondsOf))
  const cores = (at: number) => ((used[at] ?? 0) - (usedBefore[at] ?? 0)) / report.seconds
  return { fleet, report, reads: read, sweeps: swept, service: cores(0), database: cores(1) }
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
    `cores: service ${step.service.toFixed(2)}, database ${step.database.toFixed(2)}, simulator ${step.report.simulator.cpuShare}`,
    isServed(step) ? 'served' : 'NOT served',
  ].join('; ')
}

function report(steps: readonly Step[]): void {
  const best = steps.filter(isServed).at(-1)
  if (!best) {
    console.log(`Not even ${firstFleet} computers are served.`)
    process.exitCode = 1
    return
  }
  const cores = best.service + best.database
  const last = steps.at(-1) ?? best
  console.log(`
The largest fleet that is served: ${best.fleet} computers with a contact each minute, on a machine of ${availableParallelism()} cores
that also runs the simulator. ${Math.round(best.fleet / cores)} computers for each core that service and database use.
${whatSaturates(last)}`)
}

function whatSaturates({ service, database, report }: Step): string {
  const all = service + database + report.simulator.cpuShare
  if (service > 0.9) return 'First the one thread of the service is busy all the time: more workers would serve more.'
  if (all > 0.9 * availableParallelism()) return 'First all cores are busy: a larger machine would serve more.'
  return 'First the answers become slow while no core is busy all the time: look at the waits of the database.'
}
