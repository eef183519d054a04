import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Database } from '../server/src/database/connect.ts'
import { toVersionKey } from '../server/src/features/patches/components/version-keys.ts'
import { compareNewInventories } from '../server/src/features/vulnerabilities/compare/compare-inventories.ts'
import { countVulnerableComputers } from '../server/src/features/vulnerabilities/compare/count-computers.ts'
import type { VulnerabilityFormat } from '../server/src/features/vulnerabilities/documents/read-files.ts'
import { runVulnerabilityImport } from '../server/src/features/vulnerabilities/jobs/vulnerability-import.ts'
import { enqueue } from '../server/src/jobs/enqueue.ts'
import { growFleet } from './fleet.ts'
import { writeOsvDocuments } from './osv-documents.ts'
import { round } from './round.ts'
import { type BenchService, withFleet } from './service.ts'
import { reportTarget } from './target.ts'
import { withoutIndexes } from './without-indexes.ts'

const computers = 100_000
const packagesPerComputer = 150
/** Each source package has two packages, in four versions. */
const sources = 400
const versions = 4
const vulnerabilitiesPerSource = 50
const maxSeconds = 60
/** Documents of a full set of Debian and Ubuntu, and how long their import may take. */
const documents = Number(process.env.MUSTER_BENCH_DOCUMENTS ?? 100_000)
const maxImportSeconds = 600
/** The peak of the memory, by that after a fifth of the documents. */
const memoryTarget = 1.5

/** The import of advisories for a large fleet, of one new advisory, and of a full set of two distributions. */
export const benchVulnerabilities = () =>
  withFleet('vulnerabilities', growSoftware, async (service) => {
    await benchImports(service)
    await benchRemedies(service)
    await benchFullSet(service)
  })

async function growSoftware(db: Database): Promise<void> {
  for (const share of [0.25, 0.5, 0.75, 1]) await growFleet(db, computers * share)
  await sql`update computers set os_name = 'Debian GNU/Linux', os_version = (12 + id % 2)::text, inventory_at = now()`.execute(
    db,
  )
  await sql`
    insert into software_products (name, version, publisher)
    select 'lib' || source || '-' || part, '1.0.' || version, 'Debian'
    from generate_series(0, ${sources - 1}::integer) source, generate_series(0, 1) part,
      generate_series(0, ${versions - 1}::integer) version
    order by source, version, part`.execute(db)
  await sql`
    insert into software_sources (product_id, name, version, reported_by)
    select id, 'source' || split_part(substr(name, 4), '-', 1), version, 1 from software_products`.execute(db)
  const first = sql`(select min(id) from software_products)`
  await withoutIndexes(
    db,
    ['installed_software_product_id_idx'],
    [0, 1, 2, 3].map(
      (quarter) => sql`
        insert into installed_software (computer_id, product_id)
        select id, ${first} + ((id * 7 + n / 2) % ${sources}) * ${2 * versions} + (id % ${versions}) * 2 + n % 2
        from computers, generate_series(0, ${packagesPerComputer - 1}::integer) n where id % 4 = ${quarter}`,
    ),
  )
  await sql`vacuum analyze`.execute(db)
}

async function benchImports(service: BenchService): Promise<void> {
  const { db } = service.database
  const store = await mkdtemp(join(tmpdir(), 'muster-bench-'))
  const measure = async (name: string, run: () => Promise<unknown>) => {
    const start = performance.now()
    await run()
    rows.push({ step: name, seconds: round((performance.now() - start) / 1_000) })
  }
  const rows: { step: string; seconds: number }[] = []
  try {
    await mkdir(store, { recursive: true })
    await writeFile(join(store, 'all.json'), JSON.stringify(buildTracker(range(sources), 0)))
    await writeFile(join(store, 'new.json'), JSON.stringify(buildTracker(newAdvisory, 1)))
    await measure('first inventories', () => db.transaction().execute(compareNewInventories))
    await measure(`${sources * vulnerabilitiesPerSource} vulnerabilities`, () =>
      importFrom(service, store, 'all.json', 'all'),
    )
    await measure('one new advisory', () => importFrom(service, store, 'new.json', 'new'))
    await measure('new inventories, nothing new', () => db.transaction().execute(compareNewInventories))
    await measure('count', () => db.transaction().execute(countVulnerableComputers))
    console.table(rows)
    const { rows: sizes } = await sql<{ components: number; findings: number; open: number; affected: number }>`
      select (select count(*) from installed_components)::integer as components,
        (select count(*) from vulnerable_components)::integer as findings,
        (select count(*) from vulnerabilities where open_computers > 0)::integer as open,
        (select affected_computers from vulnerabilities where key = 'CVE-2031-99999') as affected`.execute(db)
    console.table(sizes)
    const seconds = rows.find(({ step }) => step === 'one new advisory')?.seconds ?? Number.POSITIVE_INFINITY
    reportTarget(`one new advisory for ${computers} computers: at most ${maxSeconds} s`, seconds <= maxSeconds)
  } finally {
    await rm(store, { recursive: true })
  }
}

/**
 * How the vulnerability that nearly all computers have goes away: patches of both packages of each source, which all of them lack, and a
 * policy that approves half of these patches.
 */
async function benchRemedies({ app, headers, database: { db } }: BenchService): Promise<void> {
  await sql`
    insert into patch_products (name) values ('Debian GNU/Linux 12'), ('Debian GNU/Linux 13')
    on conflict do nothing`.execute(db)
  const named = sql`
    select 'lib' || source || '-' || part || ' 1.0.4' as key, source, part
    from unnest(${newAdvisory}::integer[]) source, generate_series(0, 1) part`
  await sql`
    insert into patches (key, name, vendor_severity, patch_type, release_date)
    select key, key, (array['Critical', 'Low'])[part + 1], 'SecurityPatch', current_date - 30 from (${named}) as named
    on conflict do nothing`.execute(db)
  await sql`
    insert into patch_links (patch_id, product_id)
    select patches.id, product.id from (${named}) as named join patches on patches.key = named.key
      cross join patch_products product where product.name like 'Debian%' on conflict do nothing`.execute(db)
  await sql`
    insert into patch_components (patch_id, component, version_key)
    select patches.id, 'deb/debian-' || release || '/' || component, ${toVersionKey('deb', '1.0.4')}
    from (${named}) as named join patches on patches.key = named.key
      cross join lateral (values ('source' || source), ('lib' || source || '-' || part)) as built (component)
      cross join (values (12), (13)) as releases (release)
    on conflict do nothing`.execute(db)
  await sql`
    insert into patch_scans (computer_id, scanned_at) select id, now() from computers on conflict do nothing`.execute(
    db,
  )
  await sql`
    insert into computer_patches (computer_id, patch_id, product_id, is_missing)
    select installed.computer_id, patches.id, system.id, true
    from (${named}) as named
      join patches on patches.key = named.key
      join software_products product on product.name = split_part(named.key, ' ', 1)
      join installed_software installed on installed.product_id = product.id
      join computers on computers.id = installed.computer_id
      join patch_products system on system.name = 'Debian GNU/Linux ' || computers.os_version
    on conflict do nothing`.execute(db)
  await sql`vacuum analyze`.execute(db)
  const call = async (method: 'GET' | 'POST', url: string, body?: object) => {
    const answer = await app.http.inject({
      method,
      url,
      headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { payload: JSON.stringify(body) }),
    })
    if (answer.statusCode >= 300) throw new Error(`${url}: ${answer.statusCode} ${answer.body}`)
    return answer.json()
  }
  const rules = [{ name: 'Critical', action: 'Approve', severities: ['Critical'] }]
  const { id } = await call('POST', '/api/patch-policies', { name: `Bench ${Date.now()}`, rules })
  const { rows } = await sql<{ id: string }>`
    select id from groups where tree = 'ConfigurationGroups' and parent_id is null`.execute(db)
  await call('POST', `/api/patch-policies/${id}/assignments`, { groupId: rows[0]?.id })
  const times: Record<string, { ms: number }> = {}
  for (const [name, url] of [
    ['a vulnerability with the remedies of its computers', '/api/vulnerabilities/CVE-2031-99999'],
    ['50 of its computers', '/api/vulnerabilities/CVE-2031-99999/computers?top=50'],
    ['50 vulnerabilities of a computer', '/api/computer/777/vulnerabilities?top=50'],
    ['1000 vulnerabilities of a computer', '/api/computer/777/vulnerabilities?top=1000'],
  ] as const) {
    const taken: number[] = []
    for (let at = 0; at < 5; at++) {
      const start = performance.now()
      await call('GET', url)
      taken.push(performance.now() - start)
    }
    times[name] = { ms: round(taken.toSorted((a, b) => a - b)[2] ?? 0) }
  }
  console.table((await call('GET', '/api/vulnerabilities/CVE-2031-99999')).remedies)
  console.table(times)
}

const range = (count: number) => Array.from({ length: count }, (_, at) => at)

/** Enough packages that each computer has some of them. */
const newAdvisory = range(20).map((at) => at * (sources / 20))

/** The vulnerabilities of source packages, each fixed in one of the versions. Those of a new advisory are fixed in none. */
function buildTracker(named: readonly number[], series: number) {
  const entry = (fixed: string) => ({
    description: 'A fault',
    releases: {
      bookworm: { status: 'resolved', fixed_version: fixed },
      trixie: { status: 'resolved', fixed_version: fixed },
    },
  })
  return Object.fromEntries(
    named.map((source) => [
      `source${source}`,
      Object.fromEntries(
        range(series ? 1 : vulnerabilitiesPerSource).map((at) => [
          series ? 'CVE-2031-99999' : `CVE-2030-${100_000 + source * vulnerabilitiesPerSource + at}`,
          entry(`1.0.${series ? versions : at % (versions + 1)}`),
        ]),
      ),
    ]),
  )
}

async function benchFullSet(service: BenchService): Promise<void> {
  const store = await mkdtemp(join(tmpdir(), 'muster-bench-'))
  try {
    const megabytes = await writeOsvDocuments(join(store, 'osv'), documents)
    const memory: { share: number; bytes: number }[] = []
    const start = performance.now()
    await importFrom(service, store, 'osv', 'full set', {
      format: 'Osv',
      progress: (share) => void memory.push({ share, bytes: process.memoryUsage().rss }),
    })
    const seconds = round((performance.now() - start) / 1_000)
    memory.push({ share: 1, bytes: process.memoryUsage().rss })
    const peak = (samples: typeof memory) => Math.round(Math.max(...samples.map(({ bytes }) => bytes)) / 2 ** 20)
    const [fifth, whole] = [peak(memory.filter(({ share }) => share <= 0.2)), peak(memory)]
    console.table([{ documents, MB: megabytes, seconds, 'MiB after a fifth': fifth, 'peak MiB': whole }])
    reportTarget(`${documents} documents of OSV: at most ${maxImportSeconds} s`, seconds <= maxImportSeconds)
    reportTarget(`memory: peak at most ${memoryTarget} times that after a fifth`, whole <= memoryTarget * fifth)
  } finally {
    await rm(store, { recursive: true })
  }
}

type ImportOptions = { format: VulnerabilityFormat; progress(share: number): void }

async function importFrom(
  { database: { db }, app }: BenchService,
  store: string,
  path: string,
  source: string,
  { format, progress }: ImportOptions = { format: 'DebianTracker', progress: () => undefined },
) {
  const input = { path, format, source }
  const id = await enqueue(db, { queue: 'vulnerability-import', subject: source, input })
  await runVulnerabilityImport({
    id,
    input,
    db,
    configuration: { ...app.services.configuration, packageStore: store },
    signal: new AbortController().signal,
    progress,
    log: () => undefined,
    requireStarter: async () => {},
    finish: async (write) => {
      await db.transaction().execute(async (transaction) => void (await write(transaction)))
    },
  })
}
