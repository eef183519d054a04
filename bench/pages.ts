import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { loadavg } from 'node:os'
import { sql } from 'kysely'
import { type BrowserContext, chromium, type Page } from 'playwright-core'
import type { Database } from '../server/src/database/connect.ts'
import { refreshFleetStatistics } from '../server/src/features/issues/fleet-statistics.ts'
import { insertLocalPrincipal } from '../server/src/features/principals/principals.ts'
import { roleNames } from '../server/src/platform/roles.ts'
import { findChromium, launchArguments } from '../server/test/web/in-browser/chromium.ts'
import type { BenchOptions } from './options.ts'
import type { BenchService } from './service.ts'
import { withSweptFleet } from './sweeps.ts'
import { reportTarget } from './target.ts'

const defaultComputers = 100_000
const defaultRounds = 5
const auditEntriesPerComputer = 5
/** In milliseconds, over the first visits of all pages. */
const targets = { p50: 200, p95: 500 }
/** In bytes of scripts as transferred. */
const firstViewTarget = 300_000
const pageMilliseconds = 60_000

type Link = { path: string; name: string }
/** For each page, the milliseconds of the visits that read its data, and of those that find it in the tab already. */
type Switches = Map<string, { first: number[]; again: number[] }>

/** Switches among all pages of the navigation in Chromium, from the click until the data of the page is shown. */
export async function benchPages({
  computers = defaultComputers,
  rounds = defaultRounds,
}: BenchOptions): Promise<void> {
  const executablePath = await findChromium()
  if (!executablePath) throw new Error('Install Chromium, or set MUSTER_CHROMIUM to its path.')
  await withSweptFleet(computers, async (service) => {
    const { db } = service.database
    await refreshFleetStatistics(db)
    await growAuditTrail(db, computers * auditEntriesPerComputer)
    const browser = await chromium.launch({ executablePath, args: launchArguments })
    try {
      const context = await browser.newContext({ baseURL: service.address, viewport: { width: 1280, height: 900 } })
      context.setDefaultTimeout(pageMilliseconds)
      await context.request.post('/admin/session', { data: await newClient(service) })
      const size = await measureFirstView(context)
      report(await measureSwitches(context, rounds), size)
    } finally {
      await browser.close()
    }
  })
}

/** What enrolments leave behind, and changes of computers that are deleted since: their names are in the trail only. */
async function growAuditTrail(db: Database, total: number): Promise<void> {
  const { count } = await db
    .selectFrom('audit_entries')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  if (count >= total) return
  await sql`
    insert into audit_entries (chain, position, occurred_at, principal_name, operation, target, request, status,
      request_id, previous_hash, hash)
    select 0, chains.position + n, now() - n * interval '10 seconds', 'agent of pc-' || lpad(n::text, 7, '0'),
      case n % 5 when 0 then 'enrolAgent' else 'updateComputer' end,
      '/api/computer/' || n % ${total / auditEntriesPerComputer}::integer + case when n % 20 = 1 then 10000000 else 1 end
        || case n % 5 when 0 then '/agent' else '' end,
      case n % 5 when 0 then jsonb_build_object('body', jsonb_build_object('computer', jsonb_build_object('name', 'pc-' || n)))
        else '{"body": {"description": null}}' end,
      200, md5(n::text), '\\x', '\\x'
    from audit_chains chains, generate_series(1, ${total}::integer) n where chains.chain = 0 order by n desc`.execute(
    db,
  )
  await sql`update audit_chains set position = position + ${total}::integer where chain = 0`.execute(db)
  await sql`vacuum analyze audit_entries`.execute(db)
  console.log(`${total} entries of the audit trail created`)
}

async function newClient({ app, database: { db } }: BenchService) {
  const [clientId, clientSecret] = [`bench-${randomUUID()}`, 'bench']
  const principal = { clientId, secret: clientSecret, description: 'Reader', roles: roleNames, expiresAt: null }
  await insertLocalPrincipal(db, app.services.keys, principal)
  return { clientId, clientSecret }
}

/** The scripts of the overview in a browser that has no file yet. */
async function measureFirstView(context: BrowserContext): Promise<number> {
  const page = await context.newPage()
  await page.goto('/')
  await untilShown(page)
  const bytes = await page.evaluate<number>(`performance.getEntriesByType('resource')
    .filter(({ name }) => name.endsWith('.js'))
    .reduce((sum, { transferSize }) => sum + transferSize, 0)`)
  await page.close()
  return bytes
}

/**
 * In each round, the console is loaded, and all pages are visited for the first time and then once more. The round before
 * the first one only compiles scripts and fills the caches of the database.
 */
async function measureSwitches(context: BrowserContext, rounds: number): Promise<Switches> {
  const page = await context.newPage()
  await page.goto('/admin/about')
  await untilShown(page)
  const links = await listLinks(page)
  const switches: Switches = new Map(links.map(({ name }) => [name, { first: [], again: [] }]))
  for (let round = 0; round <= rounds; round++) {
    await page.goto('/admin/about')
    await untilShown(page)
    // The page that is open is the last one.
    for (const visit of ['first', 'again'] as const)
      for (const link of links) {
        const milliseconds = await switchTo(page, link)
        if (round > 0) switches.get(link.name)?.[visit].push(milliseconds)
      }
    console.log(`round ${round} of ${rounds}, load ${loadavg()[0]?.toFixed(1)}`)
  }
  return switches
}

async function listLinks(page: Page): Promise<Link[]> {
  const links = await page.evaluate<Link[]>(`[...document.querySelectorAll('nav.navigation a[href^="/"]')].map((link) =>
    ({ path: link.getAttribute('href'), name: link.querySelector('.mantine-NavLink-label')?.innerText ?? link.innerText }))`)
  const isAbout = ({ path }: Link) => path === '/admin/about'
  return [...links.filter((link) => !isAbout(link)), ...links.filter(isAbout)]
}

/** Nothing of the page is still being read. The button that refreshes turns for a moment after the data is shown. */
const isShown = `document.querySelector('main h1') !== null && ![
  ...document.querySelectorAll('main :is(.mantine-Skeleton-root, .mantine-Loader-root, [data-loading], [aria-busy="true"])'),
].some((element) => element.closest('button') === null)`

const untilShown = (page: Page) =>
  within(
    page,
    `new Promise((resolve) => {
      const look = () => ((${isShown}) ? resolve(true) : requestAnimationFrame(look))
      look()
    })`,
  )

/** What the page resolves to. A page that shows nothing ends the run instead of hanging. */
async function within<T>(page: Page, promise: string): Promise<T> {
  const limit = AbortSignal.timeout(pageMilliseconds)
  const isOver = once(limit, 'abort').then(() => {
    throw new Error(`${page.url()} was not shown within ${pageMilliseconds / 1_000} seconds.`)
  })
  return Promise.race([page.evaluate<T>(promise), isOver])
}

/**
 * Watches every frame from the click on: the heading is another one, and everything is shown. The time is that of the first
 * such frame of two, because a page may start to read something else when its first data arrives.
 */
const watch = (path: string) => `(() => {
  const heading = document.querySelector('main h1')
  let start
  addEventListener('click', ({ timeStamp }) => (start = timeStamp), { once: true, capture: true })
  window.shownAfter = new Promise((resolve) => {
    let since
    const look = (now) => {
      const isHere = location.pathname === '${path}' && document.querySelector('main h1') !== heading && (${isShown})
      if (start === undefined || !isHere) since = undefined
      else if (since === undefined) since = performance.now()
      else return resolve(since - start)
      requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
  })
})()`

async function switchTo(page: Page, { path }: Link): Promise<number> {
  await page.evaluate(watch(path))
  await page.locator(`nav.navigation a[href="${path}"]`).click()
  return within(page, 'window.shownAfter')
}

function report(switches: Switches, firstView: number): void {
  console.table(
    [...switches].map(([page, { first, again }]) => ({
      page,
      'p50 ms': Math.round(quantile(first, 0.5)),
      'p95 ms': Math.round(quantile(first, 0.95)),
      'max ms': Math.round(Math.max(...first)),
      'again, p50 ms': Math.round(quantile(again, 0.5)),
      'again, p95 ms': Math.round(quantile(again, 0.95)),
    })),
  )
  const all = [...switches.values()].flatMap(({ first }) => first)
  for (const [name, share] of [
    ['p50', 0.5],
    ['p95', 0.95],
  ] as const) {
    const found = Math.round(quantile(all, share))
    reportTarget(`${name} of ${all.length} switches: ${found} ms, less than ${targets[name]} ms`, found < targets[name])
  }
  reportTarget(
    `scripts of the first view: ${Math.round(firstView / 1_000)} kB, less than ${firstViewTarget / 1_000} kB`,
    firstView < firstViewTarget,
  )
}

function quantile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.ceil(values.length * share) - 1] ?? 0
}
