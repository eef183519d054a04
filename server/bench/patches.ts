import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Database } from '../src/database/connect.ts'
import { getComputerPatchStatus } from '../src/features/patch-management/api/computer-patches/get-computer-patch-status.ts'
import { listComputerPmGroups } from '../src/features/patch-management/api/computer-patches/list-computer-pm-groups.ts'
import { listPatchStatusDevices } from '../src/features/patch-management/api/computer-patches/list-patch-status-devices.ts'
import { searchComputerPatches } from '../src/features/patch-management/api/computer-patches/search-computer-patches.ts'
import { listPmGroupPatches } from '../src/features/patch-management/api/pm-groups/list-pm-group-patches.ts'
import { type ReportedPatch, storePatchScan } from '../src/features/patch-management/store-scan.ts'
import { searchPatches } from '../src/features/patches/api/search-patches.ts'
import { patchImport } from '../src/features/patches/jobs/patch-import.ts'
import { enqueue } from '../src/jobs/enqueue.ts'
import type { AnyOperation } from '../src/platform/operation.ts'
import { advisory } from './advisories.ts'
import { growFleet } from './fleet.ts'
import { growPatches, patchCount, rowsPerComputer } from './patch-fleet.ts'
import { type BenchService, withFleet, withService } from './service.ts'
import { statementsOf, timed } from './versus-statement.ts'

const computers = 100_000
const documents = 5_000
const millisecondsPerCase = 3_000
const statementBar = 1.3
const memoryBar = 1.5

/** Readers of patches on a large fleet, the ingest of one scan, and the import of advisories. */
export async function benchPatches(): Promise<void> {
  await withPatchedFleet(async (service) => {
    console.log(`${computers} computers with ${rowsPerComputer} rows each, ${patchCount} patches`)
    await readers(service)
    await ingest(service.database.db)
  })
  await withService(advisories)
}

/** Builds what `benchPatches` needs, to be kept for it. */
export const growPatchedFleet = () => withPatchedFleet(async () => {})

const withPatchedFleet = (run: (service: BenchService) => Promise<void>) => withFleet('patches', growWithPatches, run)

async function growWithPatches(db: Database): Promise<void> {
  // In steps, each well below the limit for one statement.
  for (const share of [0.25, 0.5, 0.75, 1]) await growFleet(db, computers * share)
  await growPatches(db)
}

type Case = [name: string, AnyOperation, { params?: object; query?: object; body?: object }]

const cases: Case[] = [
  ['status of a computer', getComputerPatchStatus, { params: { id: 777 } }],
  ['patches of a computer', searchComputerPatches, { params: { id: 777 } }],
  [
    'its assigned missing ones',
    searchComputerPatches,
    { params: { id: 777 }, body: { scanStatus: 'Missing', isAssigned: true } },
  ],
  ['its PM groups', listComputerPmGroups, { params: { id: 777 } }],
  ['one patch on the fleet', listPatchStatusDevices, { query: { patchId: 4711 } }],
  ['where it is missing', listPatchStatusDevices, { query: { qNumber: 'kb5004711', scanStatus: 'Missing' } }],
  ['patches by part of a name', listPatchStatusDevices, { query: { patchName: 'update 471' } }],
  ['all patches on the fleet', listPatchStatusDevices, {}],
  ['all that is missing', listPatchStatusDevices, { query: { scanStatus: 'Missing' } }],
  ['search of the catalog', searchPatches, { body: { vendorSeverity: 'critical', minCvssScore: 5 } }],
  ['patches of a PM group', listPmGroupPatches, { params: { id: 7 } }],
]

async function readers({ app, database: { pool }, headers }: BenchService): Promise<void> {
  const frame = async () => void (await app.http.inject({ method: 'GET', url: '/api/service/whoami', headers }))
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
    const timing = await timed(call, run, millisecondsPerCase, frame)
    const { request = 0, statement } = timing
    const ratio = (request - timing.frame) / statement
    if (ratio > statementBar) process.exitCode = 1
    rows.push({
      request: name,
      ms: rounded(request),
      'statement ms': rounded(statement),
      'frame ms': rounded(timing.frame),
      ratio: rounded(request / statement),
      'without the frame': rounded(ratio),
      bar: ratio > statementBar ? 'MISSED' : 'met',
    })
  }
  console.table(rows)
  console.log(
    `Bar: without the frame at most ${statementBar} of the statements. ` +
      'The frame is a request that does nothing: HTTP, the token and the rights of the caller.',
  )
}

/** One scan that finds what the one before found, and one that finds two patches installed. */
async function ingest(db: Database): Promise<void> {
  const { rows: found } = await sql<ReportedPatch>`
    select patches.key, products.name as product, case when f.is_missing then 'Missing' else 'Installed' end as status
    from computer_patches f join patches on patches.id = f.patch_id join patch_products products on products.id = f.product_id
    where f.computer_id = 888`.execute(db)
  const scan = (patches: readonly ReportedPatch[]) =>
    db.transaction().execute((one) => storePatchScan(one, 888, { scannedAt: new Date(), patches }))
  await scan(found)
  const changed = found.map((patch, at) => ({ ...patch, status: at < 2 ? ('Missing' as const) : patch.status }))
  let at = 0
  const { request = 0, statement } = await timed(
    () => scan(found),
    () => scan(at++ % 2 ? found : changed),
    millisecondsPerCase,
  )
  console.table({
    'the same scan again': { ms: rounded(request), 'scans/s': rounded(1_000 / request) },
    'a scan with two changes, and back': { ms: rounded(statement), 'scans/s': rounded(1_000 / statement) },
  })
}

async function advisories({ database: { db }, app }: BenchService): Promise<void> {
  const store = await mkdtemp(join(tmpdir(), 'muster-bench-'))
  try {
    await mkdir(join(store, 'csaf'))
    for (let at = 0; at < documents; at++)
      await writeFile(join(store, 'csaf', `${at}.json`), JSON.stringify(advisory(at)))
    const first = await imported(db, { ...app.services.configuration, packageStore: store })
    const again = await imported(db, { ...app.services.configuration, packageStore: store })
    console.table({ [`${documents} advisories`]: first, 'the same again': again })
    const isFlat = first['peak MiB'] <= memoryBar * first['MiB after a fifth']
    if (!isFlat) process.exitCode = 1
    console.log(
      `Memory: peak at most ${memoryBar} of that after a fifth of the documents: ${isFlat ? 'met' : 'MISSED'}`,
    )
  } finally {
    await rm(store, { recursive: true })
  }
}

async function imported(db: Database, configuration: BenchService['app']['services']['configuration']) {
  const input = { path: 'csaf', format: null }
  const id = await enqueue(db, { queue: 'patch-import', subject: 'csaf', input })
  const memory: { share: number; bytes: number }[] = []
  const start = performance.now()
  await patchImport({
    id,
    input,
    db,
    configuration,
    signal: new AbortController().signal,
    progress: (share) => void memory.push({ share, bytes: process.memoryUsage().rss }),
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

function rounded(value: number): number {
  return Number(value.toFixed(2))
}
