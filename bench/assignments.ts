import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { hashFiles, listFiles } from '@muster/package-format'
import { sql } from 'kysely'
import type { Database } from '../server/src/database/connect.ts'
import { listPackageGroups } from '../server/src/features/assignments/api/assigned-groups/list-package-groups.ts'
import { getComputerPxeBootImage } from '../server/src/features/assignments/api/effective/get-computer-pxe-boot-image.ts'
import { listComputerLanguagePacks } from '../server/src/features/assignments/api/effective/list-computer-language-packs.ts'
import { listComputerPackageGroups } from '../server/src/features/assignments/api/effective/list-computer-package-groups.ts'
import { effectiveAssignments, reachedAssignments } from '../server/src/features/assignments/effective-assignments.ts'
import { getPackageStatus } from '../server/src/features/deployments/api/package-status/get-package-status.ts'
import { getOsDeploymentReadiness } from '../server/src/features/os-deployment/api/get-os-deployment-readiness.ts'
import type { AnyOperation } from '../server/src/platform/operation.ts'
import { growFleet } from './fleet.ts'
import { round } from './round.ts'
import { type BenchService, withService } from './service.ts'
import { reportTarget } from './target.ts'
import { measureTiming, statementsOf } from './timing.ts'

const computers = 10_000
const packages = 500
const millisecondsPerCase = 2_000
const statementTarget = 1.3
const hashTarget = 0.7

/** The effective assignments of computers in a tree of 2,000 groups with 500 packages, and the hashing of an import. */
export async function benchAssignments(): Promise<void> {
  await withService(async (service) => {
    await growFleet(service.database.db, computers)
    await assignPackages(service.database.db)
    await benchEffectiveAssignments(service.database.db)
    await benchRequests(service)
  })
  await benchHashing()
}

/** Assigns about 70 packages per computer: some at the root, more on each level, a few in an assignment group. */
async function assignPackages(db: Database): Promise<void> {
  const kinds = { Software: packages, LanguagePack: 30, PxeBootImage: 20 }
  for (const [kind, count] of Object.entries(kinds))
    await sql`
      insert into packages (name, package_name, version, kind)
      select ${kind} || ' ' || n, ${kind} || ' ' || n, '1.0', ${kind} from generate_series(1, ${count}::integer) n`.execute(
      db,
    )
  await sql`insert into pxe_boot_images (package_id) select id from packages where kind = 'PxeBootImage'`.execute(db)
  const numberedPackages = (kind: string) =>
    sql`(select id, row_number() over (order by id) as n from packages where kind = ${kind}) as numbered_package`
  const numberedGroups = sql`(select id, tree, depth, row_number() over (order by path) as n from groups) as numbered_group`
  await sql`
    insert into group_packages (group_id, package_id)
    select numbered_group.id, numbered_package.id from ${numberedGroups} join ${numberedPackages('Software')}
      on (numbered_package.n * 7 + numbered_group.n * 13) % ${packages}
        < (array[20, 25, 15, 5])[numbered_group.depth + 1]`.execute(db)
  await sql`
    insert into group_language_packs (group_id, package_id)
    select numbered_group.id, numbered_package.id from ${numberedGroups} join ${numberedPackages('LanguagePack')}
      on (numbered_package.n + numbered_group.n) % 10 = 0`.execute(db)
  await sql`
    insert into group_pxe_boot_images (group_id, image_id)
    select numbered_group.id, image.id
    from ${numberedGroups} join pxe_boot_images image on image.id = numbered_group.n % 20 + 1
    where numbered_group.depth < 3`.execute(db)
  await sql`vacuum analyze`.execute(db)
}

/** Compares the statement that resolves effective assignments to its joins alone. */
async function benchEffectiveAssignments(db: Database): Promise<void> {
  const rows = []
  for (const [name, owners] of Object.entries({
    'one computer': sql<{ owner_id: number }>`select 777 as owner_id`,
    [`${computers} computers`]: sql<{ owner_id: number }>`select id as owner_id from computers`,
  })) {
    const effective = effectiveAssignments('package', 'computer', owners)
    const joins = reachedAssignments('package', 'computer', owners)
    const counted = async (statement: typeof joins | typeof effective) => {
      const { rows: found } = await sql<{ count: number }>`
        select count(*)::integer as count, max(group_path) from (${statement}) as found`.execute(db)
      return found[0]?.count ?? 0
    }
    const run = async (statement: typeof joins | typeof effective) => {
      await counted(statement)
    }
    const { request = 0, statement } = await measureTiming(
      () => run(effective),
      () => run(joins),
      millisecondsPerCase,
    )
    rows.push({
      'effective packages of': name,
      found: await counted(effective),
      ms: round(request),
      'ms of joins alone': round(statement),
      ratio: round(request / statement),
    })
  }
  console.table(rows)
}

/** Compares requests to the statements that they run. */
async function benchRequests({ app, database: { db, pool }, headers }: BenchService): Promise<void> {
  const { package_id: packageId } = await db
    .selectFrom('group_packages')
    .innerJoin('groups', 'groups.id', 'group_packages.group_id')
    .select('package_id')
    .where('groups.parent_id', 'is', null)
    .where('groups.tree', '=', 'ConfigurationGroups')
    .limit(1)
    .executeTakeFirstOrThrow()
  const call = async (url: string) => {
    const { statusCode, body } = await app.http.inject({ method: 'GET', url, headers })
    if (statusCode !== 200) throw new Error(`${url}: ${statusCode} ${body}`)
  }
  const framework = await measureTiming(
    () => call('/api/service/whoami'),
    async () => {
      await pool.query('select')
    },
    millisecondsPerCase,
  )
  const cases: [AnyOperation, Record<string, number | string>][] = [
    [getComputerPxeBootImage, { id: 777 }],
    [getOsDeploymentReadiness, { id: 777 }],
    [listComputerLanguagePacks, { id: 777 }],
    [listComputerPackageGroups, { id: 777, packageId }],
    [listPackageGroups, { id: packageId }],
    [getPackageStatus, { id: packageId }],
  ]
  const rows = []
  for (const [operation, params] of cases) {
    const statements = await statementsOf(pool, operation, { params, query: { skip: 0, top: 50 } })
    const url = operation.path.replace(/:(\w+)/g, (_, name: string) => String(params[name]))
    const { request = 0, statement } = await measureTiming(
      () => call(url),
      async () => {
        for (const statement of statements) await pool.query(statement)
      },
      millisecondsPerCase,
    )
    const isMet = request <= statementTarget * statement + (framework.request ?? 0)
    if (!isMet) process.exitCode = 1
    rows.push({
      request: operation.id,
      statements: statements.length,
      ms: round(request),
      'ms of its statements': round(statement),
      ratio: round(request / statement),
      target: isMet ? 'met' : 'MISSED',
    })
  }
  console.table(rows)
  console.log(
    `Target: at most ${statementTarget} times the statements, plus the framework (${round(framework.request ?? 0)} ms). ` +
      'Every request runs one more statement for the rights of the caller.',
  )
}

/** Compares the hashing of an import to sha256sum, on a file in the page cache. */
async function benchHashing(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'muster-bench-'))
  try {
    const block = randomBytes(16 * 1024 * 1024)
    await writeFile(
      join(folder, 'image.wim'),
      Array.from({ length: 32 }, () => block),
    )
    const { signal } = new AbortController()
    const files = await listFiles(folder, signal)
    const { request: own = 0, statement: other } = await measureTiming(
      async () => {
        await hashFiles(folder, files, { signal, progress: () => {} })
      },
      async () => {
        await promisify(execFile)('sha256sum', [join(folder, 'image.wim')])
      },
      10_000,
    )
    const mebibytes = (files[0]?.size ?? 0) / 2 ** 20
    const ratio = other / own
    console.table({
      import: { 'MiB/s': round((mebibytes / own) * 1_000) },
      sha256sum: { 'MiB/s': round((mebibytes / other) * 1_000) },
    })
    reportTarget(`hashing: ${ratio.toFixed(2)} of the rate of sha256sum, target ${hashTarget}`, ratio >= hashTarget)
  } finally {
    await rm(folder, { recursive: true })
  }
}
