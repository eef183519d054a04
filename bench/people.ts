import { sql } from 'kysely'
import { exportFleetComputers } from '../server/src/features/fleet/api/export-fleet-computers.ts'
import { listSoftwareVersions } from '../server/src/features/fleet/api/find/list-software-versions.ts'
import { searchFleet } from '../server/src/features/fleet/api/find/search-fleet.ts'
import { getComputerFacets } from '../server/src/features/fleet/api/get-computer-facets.ts'
import { getComputerPage } from '../server/src/features/fleet/api/get-computer-page.ts'
import { getFleetOverview } from '../server/src/features/fleet/api/get-fleet-overview.ts'
import { getGroupPage } from '../server/src/features/fleet/api/get-group-page.ts'
import { getPackagePage } from '../server/src/features/fleet/api/get-package-page.ts'
import { listFleetComputers } from '../server/src/features/fleet/api/list-fleet-computers.ts'
import { listGroupCounts } from '../server/src/features/fleet/api/list-group-counts.ts'
import { type SortName, sortNames } from '../server/src/features/fleet/computer-list/sort.ts'
import { refreshFleetStatistics } from '../server/src/features/issues/fleet-statistics.ts'
import type { AnyOperation } from '../server/src/platform/operation.ts'
import { roleNames } from '../server/src/platform/roles.ts'
import { round } from './round.ts'
import type { BenchService } from './service.ts'
import { withSweptFleet } from './sweeps.ts'
import { reportTarget } from './target.ts'
import { frameworkExplanation, measureTiming, statementsOf } from './timing.ts'

const size = 100_000
const statementTarget = 1.3
/** In milliseconds, for the first page of the whole fleet and of any one facet. */
const p95Target = 100
const millisecondsPerCase = 1_000

/** What people type into the search for everything: rare and frequent texts, and one that nothing contains. */
const searches = ['pc-0000777', 'pc-', 'pc', '0077', 'user77', '10.0.30.9', 'KB50', 'CVE-2026-1', 'Site 12', 'zzzzzz']

const software = { software: 'Product 17', softwareBelow: '2' }

type Case = {
  name: string
  operation: AnyOperation
  query?: Record<string, string | boolean | string[]>
  params?: Record<string, string | number>
  hasP95Target?: boolean
}

/** What people read: the list of computers by each facet and order, its counts, the pages, and the export. */
export async function benchPeople(): Promise<void> {
  await withSweptFleet(size, async (service) => {
    const start = performance.now()
    await refreshFleetStatistics(service.database.db)
    console.log(`states of the computers recorded and counted: ${Math.round(performance.now() - start)} ms`)
    const again = performance.now()
    await refreshFleetStatistics(service.database.db)
    console.log(`once more, with few changes: ${Math.round(performance.now() - again)} ms`)
    // Autovacuum does it within a minute. Until then, every entry of an index is checked in its row.
    await sql`vacuum analyze computer_summaries`.execute(service.database.db)
    if (process.env.MUSTER_BENCH_EXPLAIN) await explain(service)
    await measureCases(service)
    await measureExport(service)
  })
}

async function listCases({ database: { pool } }: BenchService): Promise<Case[]> {
  const { rows } = await pool.query<{ group_id: string; package_id: string; root_id: string }>(`
    select (select group_id from group_computers group by 1 order by count(*) desc limit 1) as group_id,
      (select package_id from deployments where status = 'Failed' group by 1 order by count(*) desc limit 1) as package_id,
      (select id from groups where tree = 'ConfigurationGroups' and parent_id is null) as root_id`)
  const { group_id = '', package_id = '', root_id = '' } = rows[0] ?? {}
  const facets: Record<string, string[]> = {
    operatingSystem: ['Windows 11 Pro'],
    healthStatus: ['Warning'],
    agentStatus: ['Reporting'],
    lastContact: ['Week'],
    issue: ['low-disk'],
    groupId: [group_id],
  }
  const lists = (name: string, query: Case['query'] = {}, hasP95Target = false): Case => ({
    name,
    operation: listFleetComputers,
    query: { sort: 'hostname', descending: false, ...query },
    hasP95Target,
  })
  const sorts = sortNames.filter((sort) => sort !== 'hostname')
  return [
    lists('list', {}, true),
    ...Object.entries(facets).map(([name, values]) => lists(`list, ${name}`, { [name]: values }, true)),
    { name: 'counts', operation: getComputerFacets, hasP95Target: true },
    ...Object.entries(facets).map(([name, values]) => ({
      name: `counts, ${name}`,
      operation: getComputerFacets,
      query: { [name]: values },
      hasP95Target: true,
    })),
    { name: 'groups', operation: listGroupCounts, hasP95Target: true },
    ...Object.entries(facets).map(([name, values]) => ({
      name: `groups, ${name}`,
      operation: listGroupCounts,
      query: { [name]: values },
      hasP95Target: true,
    })),
    ...sorts.map((sort: SortName) => lists(`list by ${sort}`, { sort })),
    ...searches.map(
      (search): Case => ({
        name: `find ${search}`,
        operation: searchFleet,
        query: { search, top: '6' },
        hasP95Target: true,
      }),
    ),
    { name: 'versions of software', operation: listSoftwareVersions, query: { ...software } },
    lists('list, software', { ...software }),
    ...['pc-0000777', '10.0.30.9', 'user77', 'nobody', 'pc', 'product 17'].map((search) =>
      lists(`search ${search}`, { search }),
    ),
    { name: 'computer', operation: getComputerPage, params: { id: 777 } },
    { name: 'group', operation: getGroupPage, params: { id: group_id } },
    { name: 'root group', operation: getGroupPage, params: { id: root_id } },
    { name: 'package', operation: getPackagePage, params: { id: package_id } },
    { name: 'overview', operation: getFleetOverview },
  ]
}

async function prepareCase({ app, database: { pool }, headers }: BenchService, { operation, query, params }: Case) {
  const statements = await statementsOf(pool, operation, {
    params,
    query: { skip: 0, top: 50, ...query },
    caller: { principal: { roles: new Set(roleNames) } },
    services: app.services,
  })
  const search = new URLSearchParams(
    Object.entries(query ?? {}).flatMap(([name, values]) =>
      [values].flat().map((value): [string, string] => [name, String(value)]),
    ),
  )
  const url = `${operation.path.replace(/:(\w+)/g, (_, key: string) => String(params?.[key]))}?${search}`
  const request = async () => {
    const answer = await app.http.inject({ method: 'GET', url, headers })
    if (answer.statusCode !== 200) throw new Error(`${url}: ${answer.statusCode} ${answer.body}`)
    return JSON.parse(answer.body) as { totalCount?: number; computers?: number | unknown[] }
  }
  const run = async () => {
    for (const statement of statements) await pool.query(statement)
  }
  return { statements, request, run }
}

async function measureCases(service: BenchService): Promise<void> {
  const { app, headers } = service
  const framework = async () => void (await app.http.inject({ method: 'GET', url: '/api/service/whoami', headers }))
  const rows = []
  for (const one of await listCases(service)) {
    const { statements, request, run } = await prepareCase(service, one)
    const { totalCount, computers: found } = await request()
    const computers = Array.isArray(found) ? found.length : found
    const timing = await measureTiming(async () => void (await request()), run, millisecondsPerCase, framework)
    const p95 = await measureP95(async () => void (await request()))
    const ratio = ((timing.request ?? 0) - timing.framework) / timing.statement
    const missed = [
      ...(ratio > statementTarget ? [`above ${statementTarget}`] : []),
      ...(one.hasP95Target && p95 > p95Target ? [`p95 above ${p95Target} ms`] : []),
    ]
    if (missed.length > 0) process.exitCode = 1
    rows.push({
      case: one.name,
      computers: totalCount ?? computers,
      statements: statements.length,
      'request ms': round(timing.request ?? 0),
      'p95 ms': round(p95),
      'statement ms': round(timing.statement),
      'without framework': round(ratio),
      target: missed.join(', ') || 'met',
    })
  }
  console.table(rows)
  console.log(
    `Targets: at most ${statementTarget} times the statements, without the framework; p95 at most ${p95Target} ms for the ` +
      `search for everything, the first page and the counts of the whole fleet and of one facet. ${frameworkExplanation}`,
  )
}

async function measureP95(request: () => Promise<void>): Promise<number> {
  const times: number[] = []
  for (let run = 0; run < 20; run++) {
    const start = performance.now()
    await request()
    times.push(performance.now() - start)
  }
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95) - 1] ?? 0
}

/** The memory of an export does not depend on the number of computers. */
async function measureExport({ address, headers }: BenchService): Promise<void> {
  const start = performance.now()
  const answer = await fetch(`${address}${exportFleetComputers.path}`, { headers })
  let [bytes, lines, peak] = [0, 0, 0]
  const before = process.memoryUsage().rss
  for await (const part of answer.body ?? []) {
    bytes += part.length
    lines += Buffer.from(part).toString('latin1').split('\n').length - 1
    peak = Math.max(peak, process.memoryUsage().rss - before)
  }
  const seconds = (performance.now() - start) / 1_000
  console.log(
    `export: ${lines} lines, ${round(bytes / 2 ** 20)} MiB in ${round(seconds)} s, memory +${round(peak / 2 ** 20)} MiB`,
  )
  reportTarget(`the export has ${lines} lines, expected ${size + 1}`, lines === size + 1)
}

async function explain(service: BenchService): Promise<void> {
  for (const one of await listCases(service)) {
    const { statements } = await prepareCase(service, one)
    for (const { text, values } of statements) {
      const { rows } = await service.database.pool.query(`explain (analyze, buffers) ${text}`, values)
      console.log(`\n== ${one.name}\n${rows.map((row) => row['QUERY PLAN']).join('\n')}`)
    }
  }
}
