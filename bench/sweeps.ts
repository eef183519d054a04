import type { Database } from '../server/src/database/connect.ts'
import { operations } from '../server/src/features/index.ts'
import { refreshFleetStatistics } from '../server/src/features/issues/fleet-statistics.ts'
import type { AnyOperation } from '../server/src/platform/operation.ts'
import { prepareContactLoad } from './contacts.ts'
import { growFleet } from './fleet.ts'
import { growInventory } from './inventory-fleet.ts'
import { compare } from './load.ts'
import { growPatches } from './patch-fleet.ts'
import { round } from './round.ts'
import { type BenchService, withFleet } from './service.ts'
import { reportTarget } from './target.ts'
import { frameworkExplanation, measureTiming, statementsOf, type Timing } from './timing.ts'

const sizes = [10_000, 100_000]
const millisecondsPerCase = 1_500
const statementTarget = 1.3
const growthTarget = 12
const contactTarget = 0.8
const contactRounds = 5

type Measured = { name: string; timing: Timing; total: number | undefined }

/** Reads of the whole fleet: compared to their statements, by the size of the fleet, and during contacts of agents. */
export async function benchSweeps(): Promise<void> {
  const measured: Measured[][] = []
  for (const size of sizes)
    await withSweptFleet(size, async (service) => {
      if (process.env.MUSTER_BENCH_EXPLAIN) await explain(service)
      const start = performance.now()
      await refreshFleetStatistics(service.database.db)
      console.log(`refresh of the fleet statistics in the background: ${Math.round(performance.now() - start)} ms`)
      measured.push(await measureAll(service))
      if (size !== sizes.at(-1)) return
      report(measured[0] ?? [], measured[1] ?? [])
      await benchContactsDuringSweeps(service)
    })
}

/** Builds the fleets of `benchSweeps` for later runs. */
export async function growSweptFleets(): Promise<void> {
  for (const size of sizes) await withSweptFleet(size, async () => {})
}

/** Runs with a fleet that has whole inventories, deployments and patches. */
export const withSweptFleet = (size: number, run: (service: BenchService) => Promise<void>) =>
  withFleet(`inventories-${size}`, (db) => growWithInventory(db, size), run)

async function growWithInventory(db: Database, size: number): Promise<void> {
  // In steps so that each statement stays within the statement timeout.
  for (const share of [0.25, 0.5, 0.75, 1]) await growFleet(db, size * share)
  await growPatches(db)
  await growInventory(db)
  console.log(`${size} computers created`)
}

type Case = { operation: AnyOperation; name: string; input: { params?: object; query?: object; body?: object } }

function listCases(): Case[] {
  const sweeps = operations.filter(({ path }) => path.startsWith('/api/computer/issues/'))
  const at = (path: string) => operations.filter((one) => one.path === path)
  const toCase =
    (input: Case['input'], suffix = '') =>
    (operation: AnyOperation) => ({
      operation,
      name: operation.path.replace(/^.*\/(?=[^/]+$)/, '') + suffix,
      input,
    })
  const product = { products: [{ productName: 'Product 17', version: '1.' }, { productName: 'Product 37' }] }
  return [
    ...sweeps.flatMap((one) =>
      toCase(one.id === 'listSharedFailureDevices' ? { query: { packageName: 'package 7' } } : {})(one),
    ),
    ...at('/api/computer/issues/overview').map(toCase({ query: { lastSeenDays: 0 } }, ', all ever seen')),
    ...at('/api/computer/issues/overview').map(toCase({ query: { hostnameContains: '0000777' } }, ', one computer')),
    ...at('/api/computer/issues/low-disk').map(toCase({ query: { domain: 'site20.example.org' } }, ', one domain')),
    ...at('/api/computer/software-search').map(toCase({ body: product })),
    ...at('/api/computer/:id/issues').map(toCase({ params: { id: 777 } }, ' of one computer')),
    ...at('/api/computer/statistics').map(toCase({})),
  ]
}

async function prepareCase({ app, database: { pool }, headers }: BenchService, { operation, input, name }: Case) {
  const { params = {}, query = {}, body } = input
  const statements = await statementsOf(pool, operation, { params, query: { skip: 0, top: 50, ...query }, body })
  const search = new URLSearchParams(
    Object.entries(query).map(([key, value]): [string, string] => [key, String(value)]),
  )
  const path = operation.path.replace(/:(\w+)/g, (_, key: string) => String((params as Record<string, unknown>)[key]))
  const request = { method: operation.method, url: `${path}?${search}`, headers, ...(body && { payload: body }) }
  const call = async () => {
    const answer = await app.http.inject(request)
    if (answer.statusCode !== 200) throw new Error(`${name}: ${answer.statusCode} ${answer.body}`)
    return answer.body
  }
  return { statements, call }
}

async function measureAll(service: BenchService): Promise<Measured[]> {
  const {
    app,
    database: { pool },
    headers,
  } = service
  const framework = async () => void (await app.http.inject({ method: 'GET', url: '/api/service/whoami', headers }))
  const measured: Measured[] = []
  for (const one of listCases()) {
    const { statements, call } = await prepareCase(service, one)
    const { totalCount } = JSON.parse(await call()) as { totalCount?: number }
    const run = async () => {
      for (const statement of statements) await pool.query(statement)
    }
    const timing = await measureTiming(async () => void (await call()), run, millisecondsPerCase, framework)
    measured.push({ name: one.name, timing, total: totalCount })
  }
  return measured
}

async function explain(service: BenchService): Promise<void> {
  for (const one of listCases()) {
    const { statements } = await prepareCase(service, one)
    for (const { text, values } of statements) {
      const { rows } = await service.database.pool.query(`explain (analyze, buffers) ${text}`, values)
      console.log(`\n== ${one.name}\n${rows.map((row) => row['QUERY PLAN']).join('\n')}`)
    }
  }
}

function report(small: readonly Measured[], large: readonly Measured[]): void {
  const rows = large.map(({ name, timing, total }, at) => {
    const { request = 0, statement, framework } = timing
    const growth = request / (small[at]?.timing.request ?? 1)
    const missed = [
      ...(request > statementTarget * statement + framework ? [`above ${statementTarget}`] : []),
      ...(growth > growthTarget ? [`growth above ${growthTarget}`] : []),
    ]
    if (missed.length > 0) process.exitCode = 1
    return {
      sweep: name,
      computers: total,
      'ms at 10,000': round(small[at]?.timing.request ?? 0),
      'ms at 100,000': round(request),
      'statement ms': round(statement),
      'framework ms': round(framework),
      ratio: round(request / statement),
      'without framework': round((request - framework) / statement),
      growth: round(growth),
      target: missed.join(', ') || 'met',
    }
  })
  console.table(rows)
  console.log(
    `Targets: at most ${statementTarget} times the statement, without the framework; growth at most ${growthTarget}. ` +
      frameworkExplanation,
  )
}

/** Agents make contacts while a client repeats one sweep without pause. */
async function benchContactsDuringSweeps(service: BenchService): Promise<void> {
  const contacts = await prepareContactLoad(service)
  const sweepNames = ['low-disk', 'overview']
  const disturbed = Object.fromEntries(
    sweepNames.map((name) => [
      `during ${name}`,
      async () => {
        const stopping = new AbortController()
        const loop = repeatSweep(service, `/api/computer/issues/${name}`, stopping.signal)
        const load = await contacts()
        stopping.abort()
        await loop
        return load
      },
    ]),
  )
  const results = await compare({ undisturbed: contacts, ...disturbed }, contactRounds)
  console.table(results)
  for (const name of sweepNames) {
    const ratio = (results[`during ${name}`]?.requestsPerSecond ?? 0) / (results.undisturbed?.requestsPerSecond ?? 1)
    reportTarget(
      `contacts during ${name}: ${ratio.toFixed(2)} of the undisturbed rate, target ${contactTarget}`,
      ratio >= contactTarget,
    )
  }
}

async function repeatSweep({ address, headers }: BenchService, path: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const answer = await fetch(`${address}${path}`, { headers })
    if (!answer.ok) throw new Error(`${path}: ${answer.status}`)
    await answer.text()
  }
}
