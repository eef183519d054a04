import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Database } from '../src/database/connect.ts'
import { withBalancer } from './balancer.ts'
import { growFleet } from './fleet.ts'
import { type Node, startNode } from './nodes.ts'
import { postmasterOf } from './processor-time.ts'
import { type BenchService, withService } from './service.ts'
import { enrolledComputers, type Report } from './simulated-computers.ts'
import { verdict } from './verdict.ts'

const minutes = Number(process.env.MUSTER_BENCH_MINUTES ?? 30)
const fleet = Number(process.env.MUSTER_BENCH_FLEET ?? 20_000)
const callingComputers = 1_000
const secondsBetweenLooks = 5
/** Of the time before the faults to the time after them. */
const memoryBar = 1.5
const deadRowsBar = 0.5

type Look = { megabytes: number; deadRows: number; liveRows: number }

/** Contacts, inventories and work on two nodes for a long time, while parts of the system fail. */
export async function benchSoak(): Promise<void> {
  await withService(async (service) => {
    await growFleet(service.database.db, callingComputers)
    const folder = await mkdtemp(join(tmpdir(), 'muster-bench-'))
    const nodes = await Promise.all([0, 1].map(() => startNode(service.database.url, unlimited)))
    try {
      await withBalancer([nodes], ([address = '']) => soak(service, nodes, address, folder))
    } finally {
      await Promise.all(nodes.map(({ stop }) => stop()))
      await rm(folder, { recursive: true })
    }
  })
}

const unlimited = { MUSTER_ENROLMENT_RATE_LIMIT: '0' }

type Opened = BenchService['database']

async function soak({ database, headers }: BenchService, nodes: Node[], address: string, folder: string) {
  const computers = await enrolledComputers({
    address,
    headers,
    computers: callingComputers,
    folder,
    scenario: { connections: 64, 'enrolment.perSecond': 200, 'inventory.changeMinutes': minutes / 5 },
  })
  const ended = new AbortController()
  const looks = lookNowAndThen(database.db, nodes, ended.signal)
  const faults = happen(database, nodes, ended.signal)
  const report = await computers.run(minutes * 60, (60 * callingComputers) / fleet)
  ended.abort()
  await faults
  tell(report, await looks)
}

/** The faults, evenly over the time. */
async function happen({ db, url: databaseUrl }: Opened, nodes: Node[], signal: AbortSignal): Promise<void> {
  const faults: { name: string; act(): Promise<void> }[] = [
    { name: 'the database restarts', act: async () => void process.kill(await postmasterOf(db), 'SIGINT') },
    { name: 'a node is killed and started again', act: () => replaceFirst(nodes, databaseUrl) },
    { name: 'the disk is slow for a while', act: () => slowDisk(db, signal) },
    { name: 'the database is killed', act: async () => void process.kill(await postmasterOf(db), 'SIGKILL') },
  ]
  for (const { name, act } of faults) {
    await sleep((minutes * 60_000) / (faults.length + 1), undefined, { signal }).catch(() => undefined)
    if (signal.aborted) return
    console.log(`${new Date().toISOString()} ${name}`)
    await act()
  }
}

/** At the same address, where the balancer looks for it. */
async function replaceFirst(nodes: Node[], databaseUrl: string): Promise<void> {
  const [first] = nodes
  if (!first) return
  await first.kill()
  nodes[0] = await startNode(databaseUrl, { ...unlimited, MUSTER_PORT: new URL(first.address).port })
}

/** Each commit takes as long as on a disk that is overloaded. */
async function slowDisk(db: Database, signal: AbortSignal): Promise<void> {
  const setDelay = async (microseconds: number) => {
    await sql`alter system set commit_delay = ${sql.lit(microseconds)}`.execute(db)
    await sql`alter system set commit_siblings = 0`.execute(db)
    await sql`select pg_reload_conf()`.execute(db)
  }
  await setDelay(50_000)
  await sleep((minutes * 60_000) / 20, undefined, { signal }).catch(() => undefined)
  await setDelay(0)
}

async function lookNowAndThen(db: Database, nodes: readonly Node[], signal: AbortSignal): Promise<Look[]> {
  const looks: Look[] = []
  while (!signal.aborted) {
    // While the database is away, there is nothing to see.
    const rows = await rowsOf(db).catch(() => undefined)
    if (rows) looks.push({ megabytes: await residentMegabytes(nodes), ...rows })
    await sleep(secondsBetweenLooks * 1000, undefined, { signal }).catch(() => undefined)
  }
  return looks
}

async function rowsOf(db: Database): Promise<Pick<Look, 'deadRows' | 'liveRows'>> {
  const { rows } = await sql<{ deadRows: number; liveRows: number }>`
    select sum(n_dead_tup)::float8 as "deadRows", sum(n_live_tup)::float8 as "liveRows"
    from pg_stat_user_tables`.execute(db)
  return rows[0] ?? { deadRows: 0, liveRows: 0 }
}

async function residentMegabytes(nodes: readonly Node[]): Promise<number> {
  const texts = await Promise.all(nodes.map(({ pid }) => readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')))
  const kilobytes = texts.map((text) => Number(/^VmRSS:\s+(\d+)/m.exec(text)?.[1] ?? 0))
  return Math.round(kilobytes.reduce((sum, one) => sum + one, 0) / 1024)
}

function tell(report: Report, looks: readonly Look[]): void {
  console.table(report.operations)
  console.table(report.errors)
  // What a client may not simply try again was refused with a status below 500 that does not ask for patience.
  const final = Object.keys(report.errors).filter((kind) => /^4\d\d /.test(kind) && !/^(408|425|429) /.test(kind))
  verdict(`errors that a client could not retry: ${final.join(', ') || 'none'}`, final.length === 0)
  // The first tenth is the warming up.
  const settled = looks.slice(Math.floor(looks.length / 10))
  const [first, last] = [settled[0], settled.at(-1)]
  if (!first || !last) throw new Error('There was too little time to see anything grow.')
  const growth = last.megabytes / first.megabytes
  verdict(`memory of the nodes: ${first.megabytes} MB, then ${last.megabytes} MB`, growth <= memoryBar)
  const dead = Math.max(...settled.map(({ deadRows, liveRows }) => deadRows / liveRows))
  verdict(`dead rows: at most ${dead.toFixed(2)} for each that lives`, dead <= deadRowsBar)
}
