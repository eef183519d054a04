import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import type { Database } from '../server/src/database/connect.ts'
import { newSecret } from '../server/src/features/principals/principals.ts'
import { type Device, inventoryOf, packagesPerInventory, partialOf, prologOf } from './fusion-inventories.ts'
import { processorSeconds } from './processor-time.ts'
import { round } from './round.ts'
import { type BenchService, withService } from './service.ts'
import { reportTarget } from './target.ts'

const inFlight = [1, 8, 32]
const devicesPerLevel = 100
const unchangedRounds = 4
const targets = { changed: 20, unchanged: 150 }

type Figures = { sent: number; seconds: number; cpuOfService: number; cpuOfDatabase: number; perCpuSecond: number }

/** Inventories of 803 packages from FusionInventory agents, and partial inventories from GLPI agents. */
export async function benchFusion(): Promise<void> {
  const run = async ({ address, app, database: { db } }: BenchService) => {
    const url = `${address}/agent/fusion/${await createEnrolmentSecret(db, app.services.keys.hashSecret)}`
    // Warms up all threads so that compilation on first use is not measured.
    await measureLevel(db, url, 32, devicesOf('warm'))
    const results: Record<string, Figures> = {}
    for (const level of inFlight) {
      const devices = devicesOf(`pc-${level}`)
      Object.assign(results, await measureLevel(db, url, level, devices))
      await verifyRows(db, level, devices)
    }
    console.table(results)
    reportTargets(results)
  }
  await withService(run, { MUSTER_ENROLMENT_RATE_LIMIT: '0' })
}

function devicesOf(name: string): Device[] {
  return Array.from({ length: devicesPerLevel }, (_, at) => ({ name: `${name}-${at}`, revision: 1 }))
}

async function measureLevel(db: Database, url: string, level: number, devices: readonly Device[]) {
  const changed = devices.map(({ name }) => ({ name, revision: 2 }))
  const again = Array.from({ length: unchangedRounds }, (_, round) =>
    changed.map((device) => inventoryOf(device, `run ${round}`)),
  ).flat()
  const send = (bodies: Buffer[]) => measureLoad(db, url, level, bodies)
  await send(devices.map(prologOf))
  return {
    [`new, ${level} in flight`]: await send(devices.map((device) => inventoryOf(device))),
    [`changed, ${level} in flight`]: await send(changed.map((device) => inventoryOf(device))),
    [`unchanged, ${level} in flight`]: await send(again),
    [`partial, ${level} in flight`]: await send(changed.map((device, at) => partialOf(device, at))),
  }
}

async function measureLoad(db: Database, url: string, level: number, bodies: readonly Buffer[]): Promise<Figures> {
  const folder = await mkdtemp(join(tmpdir(), 'muster-bench-'))
  try {
    for (const [at, body] of bodies.entries()) await writeFile(join(folder, String(at)), body)
    const before = await processorSeconds(db)
    const began = performance.now()
    const program = join(import.meta.dirname, 'fusion-load.ts')
    await promisify(execFile)(process.execPath, [program, url, folder, String(bodies.length), String(level)])
    const seconds = (performance.now() - began) / 1000
    const after = await processorSeconds(db)
    const cpuOfService = after.service - before.service
    const cpuOfDatabase = after.database - before.database
    const perCpuSecond = bodies.length / (cpuOfService + cpuOfDatabase)
    return roundFigures({ sent: bodies.length, seconds, cpuOfService, cpuOfDatabase, perCpuSecond })
  } finally {
    await rm(folder, { recursive: true })
  }
}

function roundFigures(figures: Figures): Figures {
  const entries = Object.entries(figures).map(([name, value]) => [name, round(value)])
  return Object.fromEntries(entries) as Figures
}

async function createEnrolmentSecret(db: Database, hashSecret: (secret: string) => Buffer): Promise<string> {
  const secret = newSecret()
  await db
    .insertInto('enrolment_tokens')
    .values({ token_hash: hashSecret(secret), expires_at: sql<Date>`now() + interval '1 day'` })
    .execute()
  return secret
}

/** Verifies that everything that was answered with success is stored, with the values that were sent last. */
async function verifyRows(db: Database, level: number, devices: readonly Device[]): Promise<void> {
  const { rows } = await sql<{ computers: number; links: number; revised: number; disks: number }>`
    with fleet as (select id from computers where name = any(${devices.map(({ name }) => name)}::text[]))
    select (select count(*) from fleet) as computers,
      (select count(*) from installed_software where computer_id in (select id from fleet)) as links,
      (select count(*) from installed_software i join software_products p on p.id = i.product_id
        where i.computer_id in (select id from fleet) and p.version like '%+revision2') as revised,
      (select count(*) from disk_drives where computer_id in (select id from fleet) and free_space_gb < 10) as disks`.execute(
    db,
  )
  const { all, revised } = packagesPerInventory
  const expected = {
    computers: devices.length,
    links: devices.length * all,
    revised: devices.length * revised,
    disks: devices.length,
  }
  const found = rows[0]
  if (JSON.stringify(found) !== JSON.stringify(expected))
    throw new Error(
      `At ${level} in flight, the database contains ${JSON.stringify(found)} instead of ${JSON.stringify(expected)}.`,
    )
  console.log(`${level} in flight: all ${expected.links} packages of ${expected.computers} computers are stored`)
}

function reportTargets(results: Record<string, Figures>): void {
  const worst = (kind: string) =>
    Math.min(
      ...Object.entries(results).flatMap(([name, figures]) => (name.startsWith(kind) ? figures.perCpuSecond : [])),
    )
  for (const [kind, target] of [
    ['new', targets.changed],
    ['changed', targets.changed],
    ['unchanged', targets.unchanged],
  ] as const) {
    reportTarget(`${kind}: ${worst(kind)} per second of processor time, target ${target}`, worst(kind) >= target)
  }
}
