import Fastify from 'fastify'
import { computerRows, getComputerById } from '../src/features/computers/computer-rows.ts'
import { type Case, computerCases } from './computer-cases.ts'
import { growFleet } from './fleet.ts'
import { compare, load } from './load.ts'
import { type BenchService, withService } from './service.ts'
import { type Timing, timed } from './versus-statement.ts'

const sizes = [10_000, 100_000] as const
const millisecondsPerCase = 700
const statementBar = 1.3
const routeBar = 0.6
/** Room for what else the machine does; a cost that follows the fleet would be ten times as high. */
const steadyBar = 3

type Measured = { case: Case; timing: Timing }

/** What requests cost beyond their statements, and how both grow with the fleet. */
export async function benchComputers(): Promise<void> {
  await withService(async (service) => {
    const measured = new Map<number, Measured[]>()
    for (const size of sizes) {
      await growFleet(service.database.db, size)
      console.log(`\n${size} computers`)
      await oneComputer(service)
      measured.set(size, await measure(service, size))
      await service.database.db.deleteFrom('computers').where('name', 'like', 'bench-%').execute()
    }
    report(measured.get(sizes[0]) ?? [], measured.get(sizes[1]) ?? [])
  })
}

async function measure(service: BenchService, size: number): Promise<Measured[]> {
  const measured: Measured[] = []
  for (const one of await computerCases(service, size))
    measured.push({ case: one, timing: await timed(one.request, one.statement, millisecondsPerCase) })
  return measured
}

/** One computer by id, against a bare route with the same statement. */
async function oneComputer({ address, database: { db, pool }, headers }: BenchService): Promise<void> {
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
  console.log(`one computer by id: ${ratio.toFixed(2)} of the rate of a bare route, bar ${routeBar}`)
  console.table(results)
  if (ratio < routeBar) process.exitCode = 1
}

function report(small: Measured[], large: Measured[]): void {
  const frame = large[0]?.timing.request ?? 0
  const rows = large.map(({ case: one, timing }, n) => {
    const before = small[n]?.timing
    const ratio = timing.request && timing.request / timing.statement
    const growth = (timing.request ?? timing.statement) / (before?.request ?? before?.statement ?? 1)
    const missed = [
      ...(one.barred && timing.request && timing.request > statementBar * timing.statement + frame
        ? [`above ${statementBar}`]
        : []),
      ...(one.steady && growth > steadyBar ? ['grows with the fleet'] : []),
    ]
    if (missed.length > 0) process.exitCode = 1
    return {
      case: one.name,
      'ms at 10,000': rounded(before?.request ?? before?.statement),
      'ms at 100,000': rounded(timing.request),
      'statement ms': rounded(timing.statement),
      ratio: rounded(ratio),
      growth: rounded(growth),
      bar: missed.join(', ') || (one.barred || one.steady ? 'met' : ''),
    }
  })
  console.table(rows)
  console.log(
    `Bar: at most ${statementBar} of the statement and the frame alone; growth at most ${steadyBar} if selective.`,
  )
}

function rounded(value: number | undefined): number | undefined {
  return value && Number(value.toFixed(2))
}
