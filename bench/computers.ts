import Fastify from 'fastify'
import { computerRows, getComputerById } from '../server/src/features/computers/computer-rows.ts'
import { type Case, computerCases } from './computer-cases.ts'
import { growFleet } from './fleet.ts'
import { compare, load } from './load.ts'
import { round } from './round.ts'
import { type BenchService, withService } from './service.ts'
import { reportTarget } from './target.ts'
import { measureTiming, type Timing } from './timing.ts'

const sizes = [10_000, 100_000] as const
const millisecondsPerCase = 700
const statementTarget = 1.3
const routeTarget = 0.6
/** Allows for other load on the machine. A cost that is proportional to the fleet would grow by a factor of ten. */
const growthTarget = 3

type Measured = { case: Case; timing: Timing }

/** The cost of requests compared to their statements, and how both grow with the fleet. */
export async function benchComputers(): Promise<void> {
  await withService(async (service) => {
    const measured = new Map<number, Measured[]>()
    for (const size of sizes) {
      await growFleet(service.database.db, size)
      console.log(`\n${size} computers`)
      await benchOneComputer(service)
      measured.set(size, await measure(service, size))
      await service.database.db.deleteFrom('computers').where('name', 'like', 'bench-%').execute()
    }
    report(measured.get(sizes[0]) ?? [], measured.get(sizes[1]) ?? [])
  })
}

async function measure(service: BenchService, size: number): Promise<Measured[]> {
  const measured: Measured[] = []
  for (const one of await computerCases(service, size))
    measured.push({ case: one, timing: await measureTiming(one.request, one.statement, millisecondsPerCase) })
  return measured
}

/** Compares one computer by id to a bare route with the same statement. */
async function benchOneComputer({ address, database: { db, pool }, headers }: BenchService): Promise<void> {
  const { id } = await getComputerById(db, 777)
  const statement = computerRows(db).where('computers.id', '=', id).compile()
  const bare = Fastify()
  bare.get(
    '/bare',
    async () => (await pool.query({ name: 'bare', text: statement.sql, values: [...statement.parameters] })).rows[0],
  )
  const bareAddress = await bare.listen({ host: '127.0.0.1', port: 0 })
  const results = await compare(
    {
      bare: () => load(`${bareAddress}/bare`, {}, 2),
      muster: () => load(`${address}/api/computer/${id}`, headers, 2),
    },
    5,
  )
  await bare.close()
  const ratio = (results.muster?.requestsPerSecond ?? 0) / (results.bare?.requestsPerSecond ?? 1)
  console.table(results)
  reportTarget(
    `one computer by id: ${ratio.toFixed(2)} of the rate of a bare route, target ${routeTarget}`,
    ratio >= routeTarget,
  )
}

function report(small: Measured[], large: Measured[]): void {
  const framework = large[0]?.timing.request ?? 0
  const rows = large.map(({ case: one, timing }, n) => {
    const before = small[n]?.timing
    const ratio = timing.request && timing.request / timing.statement
    const growth = (timing.request ?? timing.statement) / (before?.request ?? before?.statement ?? 1)
    const missed = [
      ...(one.hasTarget && timing.request && timing.request > statementTarget * timing.statement + framework
        ? [`above ${statementTarget}`]
        : []),
      ...(one.isSelective && growth > growthTarget ? ['grows with the fleet'] : []),
    ]
    if (missed.length > 0) process.exitCode = 1
    return {
      case: one.name,
      'ms at 10,000': roundIfKnown(before?.request ?? before?.statement),
      'ms at 100,000': roundIfKnown(timing.request),
      'statement ms': roundIfKnown(timing.statement),
      ratio: roundIfKnown(ratio),
      growth: roundIfKnown(growth),
      target: missed.join(', ') || (one.hasTarget || one.isSelective ? 'met' : ''),
    }
  })
  console.table(rows)
  console.log(
    `Target: at most ${statementTarget} times the statement, plus the framework; growth at most ${growthTarget} if the filter is selective.`,
  )
}

function roundIfKnown(value: number | undefined): number | undefined {
  return value && round(value)
}
