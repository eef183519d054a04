import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Database } from '../server/src/database/connect.ts'
import { getComputerPatchStatus } from '../server/src/features/patch-management/api/computer-patches/get-computer-patch-status.ts'
import { listComputerPmGroups } from '../server/src/features/patch-management/api/computer-patches/list-computer-pm-groups.ts'
import { listPatchStatusDevices } from '../server/src/features/patch-management/api/computer-patches/list-patch-status-devices.ts'
import { searchComputerPatches } from '../server/src/features/patch-management/api/computer-patches/search-computer-patches.ts'
import { listPmGroupPatches } from '../server/src/features/patch-management/api/pm-groups/list-pm-group-patches.ts'
import type { ReportedPatch } from '../server/src/features/patch-management/reported-patches.ts'
import { storePatchScan } from '../server/src/features/patch-management/store-scan.ts'
import { searchPatches } from '../server/src/features/patches/api/search-patches.ts'
import { runPatchImport } from '../server/src/features/patches/jobs/patch-import.ts'
import { enqueue } from '../server/src/jobs/enqueue.ts'
import type { AnyOperation } from '../server/src/platform/operation.ts'
import { buildAdvisory } from './advisories.ts'
import { growFleet } from './fleet.ts'
import { growPatches, patchCount, rowsPerComputer } from './patch-fleet.ts'
import { round } from './round.ts'
import { type BenchService, withFleet, withService } from './service.ts'
import { reportTarget } from './target.ts'
import { frameworkExplanation, measureTiming, statementsOf } from './timing.ts'

const computers = 100_000
const documents = 5_000
const millisecondsPerCase = 3_000
const statementTarget = 1.3
const memoryTarget = 1.5

/** Reads of patches on a large fleet, storing a scan, and the import of advisories. */
export async function benchPatches(): Promise<void> {
  await withPatchedFleet(async (service) => {
    console.log(`${computers} computers with ${rowsPerComputer} rows each, ${patchCount} patches`)
    await benchReads(service)
    await benchScans(service.database.db)
  })
  await withService(benchAdvisories)
}

/** Builds the fleet of `benchPatches` for later runs. */
export const growPatchedFleet = () => withPatchedFleet(async () => {})

/** Runs with 100,000 computers that reported their patches. */
export const withPatchedFleet = (run: (service: BenchService) => Promise<void>) =>
  withFleet('patches', growWithPatches, run)

async function growWithPatches(db: Database): Promise<void> {
  // In steps so that each statement stays within the statement timeout.
  for (const share of [0.25, 0.5, 0.75, 1]) await growFleet(db, computers * share)
  await growPatches(db)
}

type Case = [name: string, AnyOperation, { params?: object; query?: object; body?: object }]

const cases: Case[] = [
  ['status of a computer', getComputerPatchStatus, { params: { id: 777 } }],
  ['patches of a computer', searchComputerPatches, { params: { id: 777 } }],
  [
    'missing assigned patches of a computer',
    searchComputerPatches,
    { params: { id: 777 }, body: { scanStatus: 'Missing', isAssigned: true } },
  ],
  ['PM groups of a computer', listComputerPmGroups, { params: { id: 777 } }],
  ['one patch on the fleet', listPatchStatusDevices, { query: { patchId: 4711 } }],
  ['computers that lack a patch', listPatchStatusDevices, { query: { qNumber: 'kb5004711', scanStatus: 'Missing' } }],
  ['patches by part of a name', listPatchStatusDevices, { query: { patchName: 'update 471' } }],
  ['all patches on the fleet', listPatchStatusDevices, {}],
  ['all missing patches on the fleet', listPatchStatusDevices, { query: { scanStatus: 'Missing' } }],
  ['search of the catalog', searchPatches, { body: { vendorSeverity: 'critical', minCvssScore: 5 } }],
  ['patches of a PM group', listPmGroupPatches, { params: { id: 7 } }],
]

async function benchReads({ app, database: { pool }, headers }: BenchService): Promise<void> {
  const framework = async () => void (await app.http.inject({ method: 'GET', url: '/api/service/whoami', headers }))
  const rows = []
  for (const [name, operation, { params = {}, query = {}, body }] of cases) {
    const statements = await statementsOf(pool, operation, { params, query: { skip: 0, top: 50, ...query }, body })
    const search = new URLSearchParams(
      Object.entries(query).map(([key, value]): [string, string] => [key, String(value)]),
    )
    const path = operation.path.replace(/:(\w+)/g, (_, key: string) => String((params as Record<string, unknown>)[key]))
    const call = async () => {
      const { statusCode, body: answer } = await app.http.inject({
        method: operation.method,
        url: `${path}?${search}`,
        headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
        ...(body && { payload: JSON.stringify(body) }),
      })
      if (statusCode !== 200) throw new Error(`${path}: ${statusCode} ${answer}`)
    }
    const run = async () => {
      for (const statement of statements) await pool.query(statement)
    }
    const timing = await measureTiming(call, run, millisecondsPerCase, framework)
    const { request = 0, statement } = timing
    const ratio = (request - timing.framework) / statement
    if (ratio > statementTarget) process.exitCode = 1
    rows.push({
      request: name,
      ms: round(request),
      'statement ms': round(statement),
      'framework ms': round(timing.framework),
      ratio: round(request / statement),
      'without framework': round(ratio),
      target: ratio > statementTarget ? 'MISSED' : 'met',
    })
  }
  console.table(rows)
  console.log(`Target: at most ${statementTarget} times the statements, without the framework. ${frameworkExplanation}`)
}

/** Stores a scan without changes, and scans that change the state of two patches. */
async function benchScans(db: Database): Promise<void> {
  const { rows: found } = await sql<ReportedPatch>`
    select patches.key, products.name as product, case when f.is_missing then 'Missing' else 'Installed' end as status
    from computer_patches f join patches on patches.id = f.patch_id join patch_products products on products.id = f.product_id
    where f.computer_id = 888`.execute(db)
  const scan = async (patches: readonly ReportedPatch[]) => {
    await db.transaction().execute((one) => storePatchScan(one, 888, { scannedAt: new Date(), patches }))
  }
  await scan(found)
  const changed = found.map((patch, at) => ({ ...patch, status: at < 2 ? ('Missing' as const) : patch.status }))
  let at = 0
  const { request = 0, statement } = await measureTiming(
    () => scan(found),
    () => scan(at++ % 2 ? found : changed),
    millisecondsPerCase,
  )
  console.table({
    'unchanged scan': { ms: round(request), 'scans/s': round(1_000 / request) },
    'scan with two changes': { ms: round(statement), 'scans/s': round(1_000 / statement) },
  })
}

async function benchAdvisories({ database: { db }, app }: BenchService): Promise<void> {
  const store = await mkdtemp(join(tmpdir(), 'muster-bench-'))
  try {
    await mkdir(join(store, 'csaf'))
    for (let at = 0; at < documents; at++)
      await writeFile(join(store, 'csaf', `${at}.json`), JSON.stringify(buildAdvisory(at)))
    const first = await measureImport(db, { ...app.services.configuration, packageStore: store })
    const again = await measureImport(db, { ...app.services.configuration, packageStore: store })
    console.table({ [`${documents} advisories`]: first, 'the same documents again': again })
    reportTarget(
      `memory: peak at most ${memoryTarget} times that after a fifth of the documents`,
      first['peak MiB'] <= memoryTarget * first['MiB after a fifth'],
    )
  } finally {
    await rm(store, { recursive: true })
  }
}

async function measureImport(db: Database, configuration: BenchService['app']['services']['configuration']) {
  const input = { path: 'csaf', format: null }
  const id = await enqueue(db, { queue: 'patch-import', subject: 'csaf', input })
  const memory: { share: number; bytes: number }[] = []
  const start = performance.now()
  await runPatchImport({
    id,
    input,
    db,
    configuration,
    signal: new AbortController().signal,
    progress: (share) => void memory.push({ share, bytes: process.memoryUsage().rss }),
    log: () => undefined,
    requireStarter: async () => {},
    finish: async (write) => {
      await db.transaction().execute(async (transaction) => void (await write(transaction)))
    },
  })
  const seconds = (performance.now() - start) / 1_000
  const peak = (samples: typeof memory) => Math.round(Math.max(...samples.map(({ bytes }) => bytes)) / 2 ** 20)
  return {
    'documents/s': Math.round(documents / seconds),
    'MiB after a fifth': peak(memory.filter(({ share }) => share <= 0.2)),
    'peak MiB': peak(memory),
  }
}
