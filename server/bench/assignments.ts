import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import type { Database } from '../src/database/connect.ts'
import { listPackageGroups } from '../src/features/assignments/api/assigned-groups/list-package-groups.ts'
import { getComputerPxeBootImage } from '../src/features/assignments/api/effective/get-computer-pxe-boot-image.ts'
import { listComputerLanguagePacks } from '../src/features/assignments/api/effective/list-computer-language-packs.ts'
import { listComputerPackageGroups } from '../src/features/assignments/api/effective/list-computer-package-groups.ts'
import { effectiveAssignments, reachedAssignments } from '../src/features/assignments/effective-assignments.ts'
import { getPackageStatus } from '../src/features/deployments/api/package-status/get-package-status.ts'
import { getOsDeploymentReadiness } from '../src/features/os-deployment/api/get-os-deployment-readiness.ts'
import { hashFiles } from '../src/features/packages/hash-files.ts'
import { listFiles } from '../src/features/packages/package-folder.ts'
import type { AnyOperation } from '../src/platform/operation.ts'
import { growFleet } from './fleet.ts'
import { type BenchService, withService } from './service.ts'
import { statementsOf, timed } from './versus-statement.ts'

const computers = 10_000
const packages = 500
const millisecondsPerCase = 2_000
const statementBar = 1.3
const hashBar = 0.7

/** What computers get, in a tree of 2,000 groups with 500 packages; and the rate at which an import hashes. */
export async function benchAssignments(): Promise<void> {
  await withService(async (service) => {
    await growFleet(service.database.db, computers)
    await assignObjects(service.database.db)
    await picking(service.database.db)
    await requests(service)
  })
  await hashing()
}

/** About 70 packages for each computer: some of the root, more of each level, a few of an assignment group. */
async function assignObjects(db: Database): Promise<void> {
  const kinds = { Software: packages, LanguagePack: 30, PxeBootImage: 20 }
  for (const [kind, count] of Object.entries(kinds))
    await sql`
      insert into packages (name, package_name, version, kind)
      select ${kind} || ' ' || n, ${kind} || ' ' || n, '1.0', ${kind} from generate_series(1, ${count}::integer) n`.execute(
      db,
    )
  await sql`insert into pxe_boot_images (package_id) select id from packages where kind = 'PxeBootImage'`.execute(db)
  const numbered = (kind: string) =>
    sql`(select id, row_number() over (order by id) as n from packages where kind = ${kind}) as object`
  const places = sql`(select id, tree, depth, row_number() over (order by path) as n from groups) as place`
  await sql`
    insert into group_packages (group_id, package_id)
    select place.id, object.id from ${places} join ${numbered('Software')}
      on (object.n * 7 + place.n * 13) % ${packages} < (array[20, 25, 15, 5])[place.depth + 1]`.execute(db)
  await sql`
    insert into group_language_packs (group_id, package_id)
    select place.id, object.id from ${places} join ${numbered('LanguagePack')} on (object.n + place.n) % 10 = 0`.execute(
    db,
  )
  await sql`
    insert into group_pxe_boot_images (group_id, image_id)
    select place.id, image.id from ${places} join pxe_boot_images image on image.id = place.n % 20 + 1
    where place.depth < 3`.execute(db)
  await sql`vacuum analyze`.execute(db)
}

/** The one statement that finds what holds, against its joins alone. */
async function picking(db: Database): Promise<void> {
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
    const { request = 0, statement } = await timed(
      () => run(effective),
      () => run(joins),
      millisecondsPerCase,
    )
    rows.push({
      'effective packages of': name,
      found: await counted(effective),
      ms: rounded(request),
      'ms of the joins alone': rounded(statement),
      ratio: rounded(request / statement),
    })
  }
  console.table(rows)
}

/** Requests against the statements that they run. */
async function requests({ app, database: { db, pool }, headers }: BenchService): Promise<void> {
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
  const frame = await timed(
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
    const { request = 0, statement } = await timed(
      () => call(url),
      async () => {
        for (const statement of statements) await pool.query(statement)
      },
      millisecondsPerCase,
    )
    const isMet = request <= statementBar * statement + (frame.request ?? 0)
    if (!isMet) process.exitCode = 1
    rows.push({
      request: operation.id,
      statements: statements.length,
      ms: rounded(request),
      'ms of its statements': rounded(statement),
      ratio: rounded(request / statement),
      bar: isMet ? 'met' : 'MISSED',
    })
  }
  console.table(rows)
  console.log(
    `Bar: at most ${statementBar} of the statements and the frame alone (${rounded(frame.request ?? 0)} ms). ` +
      'Every request takes one more statement for the rights of the caller.',
  )
}

/** The hashing of an import against sha256sum, on a file that is in memory already. */
async function hashing(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'muster-bench-'))
  try {
    const piece = randomBytes(16 * 1024 * 1024)
    await writeFile(
      join(folder, 'image.wim'),
      Array.from({ length: 32 }, () => piece),
    )
    const { signal } = new AbortController()
    const files = await listFiles(folder, signal)
    const { request: own = 0, statement: other } = await timed(
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
      import: { 'MiB/s': rounded((mebibytes / own) * 1_000) },
      sha256sum: { 'MiB/s': rounded((mebibytes / other) * 1_000) },
    })
    console.log(
      `hashing: ${ratio.toFixed(2)} of the rate of sha256sum, bar ${hashBar}: ${ratio >= hashBar ? 'met' : 'MISSED'}`,
    )
    if (ratio < hashBar) process.exitCode = 1
  } finally {
    await rm(folder, { recursive: true })
  }
}

function rounded(value: number): number {
  return Number(value.toFixed(2))
}
