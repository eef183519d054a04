import { sql } from 'kysely'
import type { Database } from '../server/src/database/connect.ts'
import { type BenchAgent, enrolAgents } from './agents.ts'
import { startCpuProfile } from './cpu-profile.ts'
import { growFleet } from './fleet.ts'
import { findFreePort } from './free-port.ts'
import { type Node, startNode } from './nodes.ts'
import { getPostmaster, processorSecondsOf } from './processor-time.ts'
import { type BenchService, withService } from './service.ts'
import { listBusiestStatements, resetStatementStatistics } from './statement-statistics.ts'
import { reportTarget } from './target.ts'
import { doAllWork, type WorkStyle } from './work-of-agent.ts'

const computers = Number(process.env.MUSTER_BENCH_COMPUTERS ?? 3_000)
const packages = 20
const concurrentAgents = 64
/** Completed per second of processor time of service and database. */
const target = 500

/** Agents that work instantly do 20 work items each: the processor time of one, the old way and the new way. */
export async function benchWorkItems(): Promise<void> {
  await withService(async (service) => {
    const { db } = service.database
    await growFleet(db, computers)
    await addPackages(db)
    const ids = await db.selectFrom('computers').select('id').where('role', '<>', 'MasterServer').execute()
    const agents = await enrolAgents(
      db,
      service.app.services.keys,
      ids.map(({ id }) => id),
    )
    const styles = (process.env.MUSTER_BENCH_STYLES ?? 'old,new').split(',') as WorkStyle[]
    for (const style of styles) await measureStyle(service, agents, style)
  })
}

/** Small packages without requirements, which every computer gets. */
export async function addPackages(db: Database): Promise<void> {
  const manifest = JSON.stringify({ commands: { install: { argv: ['sh', 'install.sh'] } } })
  await sql`
    with made as (
      insert into packages (name, package_name, version, kind, is_operational, hash_state, content_hash, manifest, folder)
      select 'Software ' || n, 'Software ' || n, '1.0', 'Software', true, 'Current', sha256(n::text::bytea),
        ${manifest}::jsonb, 'software-' || n
      from generate_series(1, ${packages}::integer) n
      returning id
    )
    insert into package_files (package_id, path, size, sha256)
    select made.id, 'file-' || n, 1000, sha256((made.id::text || n)::bytea) from made, generate_series(1, 3) n`.execute(
    db,
  )
  await sql`
    insert into group_packages (group_id, package_id)
    select groups.id, packages.id from groups, packages
    where groups.tree = 'ConfigurationGroups' and groups.parent_id is null`.execute(db)
}

async function measureStyle(service: BenchService, agents: readonly BenchAgent[], style: WorkStyle): Promise<void> {
  await activateAll(service)
  const inspector = await findFreePort(1)
  const node = await startNode(service.database.url, {}, [`--inspect=127.0.0.1:${inspector}`])
  try {
    await measure(service, node, inspector, agents, style)
  } finally {
    await node.stop()
  }
}

async function activateAll({ database: { db }, headers, address }: BenchService): Promise<void> {
  await sql`truncate work, deployments, distribution_events, activations, tasks cascade`.execute(db)
  const root = await db
    .selectFrom('groups')
    .select('id')
    .where('tree', '=', 'ConfigurationGroups')
    .where('parent_id', 'is', null)
    .executeTakeFirstOrThrow()
  const activation = await fetch(`${address}/api/group/${root.id}/activation`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ software: true }),
  })
  if (!activation.ok) throw new Error(`The activation failed with ${activation.status}.`)
  await sql`vacuum analyze`.execute(db)
}

async function measure(
  { database: { db } }: BenchService,
  node: Node,
  inspector: number,
  agents: readonly BenchAgent[],
  style: WorkStyle,
): Promise<void> {
  await resetStatementStatistics(db)
  const postmaster = await getPostmaster(db)
  const usedSoFar = () => Promise.all([node.pid, postmaster].map(processorSecondsOf))
  const before = await usedSoFar()
  const profile = process.env.MUSTER_BENCH_PROFILE ? await startCpuProfile(inspector) : undefined
  const startedAt = Date.now()
  const { items, requests } = await doAllWork(node.address, agents, style, concurrentAgents).catch(async (error) => {
    // The service does not stop while the profiler is connected.
    await profile?.stop()
    throw error
  })
  const seconds = (Date.now() - startedAt) / 1000
  const used = (await usedSoFar()).map((after, at) => after - (before[at] ?? 0))
  const [service = 0, database = 0] = used
  const statements = await countStatementCalls(db)
  const perItem = (total: number) => Number((total / items).toFixed(3))
  console.table({
    [style]: {
      items,
      'requests per item': perItem(requests),
      'statements per item': perItem(statements),
      'ms of service': perItem(service * 1000),
      'ms of database': perItem(database * 1000),
      'items per CPU second': Math.round(items / (service + database)),
      'items per second': Math.round(items / seconds),
    },
  })
  console.table(await listBusiestStatements(db))
  if (profile) {
    const { byPlace, byFunction } = await profile.stop()
    console.table(byPlace)
    console.table(byFunction)
  }
  await checkThatAllSucceeded(db, items, computers * packages)
  if (style === 'new')
    reportTarget(
      `work items per second of processor time: ${Math.round(items / (service + database))}, target ${target}`,
      items / (service + database) >= target,
    )
}

/** All statements since the reset, with those that begin and end transactions. Each is a round trip. */
async function countStatementCalls(db: Database): Promise<number> {
  const { rows } = await sql<{ calls: number }>`
    select sum(calls)::float8 as calls from pg_stat_statements
    where dbid = (select oid from pg_database where datname = current_database())`.execute(db)
  return rows[0]?.calls ?? 0
}

async function checkThatAllSucceeded(db: Database, items: number, expected: number): Promise<void> {
  const { rows } = await sql<{ succeeded: number; installed: number; events: number }>`
    select (select count(*) from work where state = 'Success')::float8 as succeeded,
      (select count(*) from deployments where installation_state = 'Installed')::float8 as installed,
      (select count(*) from distribution_events where result = 'Success')::float8 as events`.execute(db)
  const counts = { items, ...rows[0] }
  reportTarget(
    `each of ${expected} work items was done and recorded once: ${JSON.stringify(counts)}`,
    Object.values(counts).every((count) => count === expected),
  )
}
