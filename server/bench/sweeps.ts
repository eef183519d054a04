import type { Database } from '../src/database/connect.ts'
import { operations } from '../src/features/index.ts'
import { refreshFleetStatistics } from '../src/features/issues/fleet-statistics.ts'
import type { AnyOperation } from '../src/platform/operation.ts'
import { contactLoad } from './contacts.ts'
import { growFleet } from './fleet.ts'
import { growInventory } from './inventory-fleet.ts'
import { compare } from './load.ts'
import { growPatches } from './patch-fleet.ts'
import { type BenchService, withFleet } from './service.ts'
import { statementsOf, type Timing, timed } from './versus-statement.ts'

const sizes = [10_000, 100_000]
const millisecondsPerCase = 1_500
const statementBar = 1.3
const growthBar = 12
const contactBar = 0.8
const contactRounds = 5

type Measured = { name: string; timing: Timing; total: number | undefined }

/** Questions about the whole fleet: against their statements, by its size, and beside the contacts of agents. */
export async function benchSweeps(): Promise<void> {
  const measured: Measured[][] = []
  for (const size of sizes)
    await withSweptFleet(size, async (service) => {
      if (process.env.MUSTER_BENCH_EXPLAIN) await explain(service)
      const start = performance.now()
      await refreshFleetStatistics(service.database.db)
      console.log(`counting for the dashboard, in the background: ${Math.round(performance.now() - start)} ms`)
      measured.push(await measureAll(service))
      if (size !== sizes.at(-1)) return
      report(measured[0] ?? [], measured[1] ?? [])
      await contactsMeanwhile(service)
    })
}

/** Builds what `benchSweeps` needs, to be kept for it. */
export async function growSweptFleets(): Promise<void> {
  for (const size of sizes) await withSweptFleet(size, async () => {})
}

/** A fleet with whole inventories, deployments and patches. */
export const withSweptFleet = (size: number, run: (service: BenchService) => Promise<void>) =>
  withFleet(`inventories-${size}`, (db) => growWithInventory(db, size), run)

async function growWithInventory(db: Database, size: number): Promise<void> {
  // In steps, each well below the limit for one statement.
  for (const share of [0.25, 0.5, 0.75, 1]) await growFleet(db, size * share)
  await growPatches(db)
  await growInventory(db)
  console.log(`${size} computers are there`)
}

type Case = { operation: AnyOperation; name: string; input: { params?: object; query?: object; body?: object } }

function cases(): Case[] {
  const sweeps = operations.filter(({ path }) => path.startsWith('/api/computer/issues/'))
  const at = (path: string) => operations.filter((one) => one.path === path)
  const named =
    (input: Case['input'], suffix = '') =>
    (operation: AnyOperation) => ({
      operation,
      name: operation.path.replace(/^.*\/(?=[^/]+$)/, '') + suffix,
      input,
    })
  const product = { products: [{ productName: 'Product 17', version: '1.' }, { productName: 'Product 37' }] }
  return [
    ...sweeps.flatMap((one) =>
      named(one.id === 'listSharedFailureDevices' ? { query: { packageName: 'package 7' } } : {})(one),
    ),
    ...at('/api/computer/issues/overview').map(named({ query: { lastSeenDays: 0 } }, ', all ever seen')),
    ...at('/api/computer/issues/overview').map(named({ query: { hostnameContains: '0000777' } }, ', one computer')),
    ...at('/api/computer/issues/low-disk').map(named({ query: { domain: 'site20.example.org' } }, ', one domain')),
    ...at('/api/computer/software-search').map(named({ body: product })),
    ...at('/api/computer/:id/issues').map(named({ params: { id: 777 } }, ' of one computer')),
    ...at('/api/computer/statistics').map(named({})),
  ]
}

async function prepared({ app, database: { pool }, headers }: BenchService, { operation, input, name }: Case) {
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
  const frame = async () => void (await app.http.inject({ method: 'GET', url: '/api/service/whoami', headers }))
  const measured: Measured[] = []
  for (const one of cases()) {
    const { statements, call } = await prepared(service, one)
    const { totalCount } = JSON.parse(await call()) as { totalCount?: number }
    const run = async () => {
      for (const statement of statements) await pool.query(statement)
    }
    const timing = await timed(async () => void (await call()), run, millisecondsPerCase, frame)
    measured.push({ name: one.name, timing, total: totalCount })
  }
  return measured
}

async function explain(service: BenchService): Promise<void> {
  for (const one of cases()) {
    const { statements } = await prepared(service, one)
    for (const { text, values } of statements) {
      const { rows } = await service.database.pool.query(`explain (analyze, buffers) ${text}`, values)
      console.log(`\n== ${one.name}\n${rows.map((row) => row['QUERY PLAN']).join('\n')}`)
    }
  }
}

function report(small: readonly Measured[], large: readonly Measured[]): void {
  const rows = large.map(({ name, timing, total }, at) => {
    const { request = 0, statement, frame } = timing
    const growth = request / (small[at]?.timing.request ?? 1)
    const missed = [
      ...(request > statementBar * statement + frame ? [`above ${statementBar}`] : []),
      ...(growth > growthBar ? [`above ${growthBar}`] : []),
    ]
    if (missed.length > 0) process.exitCode = 1
    return {
      question: name,
      computers: total,
      'ms at 10,000': rounded(small[at]?.timing.request ?? 0),
      'ms at 100,000': rounded(request),
      'statement ms': rounded(statement),
      'frame ms': rounded(frame),
      ratio: rounded(request / statement),
      'without the frame': rounded((request - frame) / statement),
      growth: rounded(growth),
      bar: missed.join(', ') || 'met',
    }
  })
  console.table(rows)
  console.log(
    `Bar: without the frame at most ${statementBar} of the statement, at most ${growthBar} times slower. ` +
      'The frame is a request that does nothing: HTTP, the token and the rights of the caller.',
  )
}

/** Agents contact the service while somebody asks one question after the other. */
async function contactsMeanwhile(service: BenchService): Promise<void> {
  const contacts = await contactLoad(service)
  const questions = ['low-disk', 'overview']
  const looped = Object.fromEntries(
    questions.map((name) => [
      `while ${name} loops`,
      async () => {
        const stopping = new AbortController()
        const loop = askForever(service, `/api/computer/issues/${name}`, stopping.signal)
        const load = await contacts()
        stopping.abort()
        await loop
        return load
      },
    ]),
  )
  const results = await compare({ undisturbed: contacts, ...looped }, contactRounds)
  console.table(results)
  for (const name of questions) {
    const ratio =
      (results[`while ${name} loops`]?.requestsPerSecond ?? 0) / (results.undisturbed?.requestsPerSecond ?? 1)
    const isMet = ratio >= contactBar
    if (!isMet) process.exitCode = 1
    console.log(`contacts while ${name} loops: ${ratio.toFixed(2)}, bar ${contactBar}: ${isMet ? 'met' : 'MISSED'}`)
  }
}

async function askForever({ address, headers }: BenchService, path: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const answer = await fetch(`${address}${path}`, { headers })
    if (!answer.ok) throw new Error(`${path}: ${answer.status}`)
    await answer.text()
  }
}

function rounded(value: number): number {
  return Number(value.toFixed(2))
}
