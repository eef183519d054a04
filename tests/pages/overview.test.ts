import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { enrolAgent } from '../../server/src/channels/agent/enrol-agent.ts'
import { recordBackup } from '../../server/src/database/backup/record-backup.ts'
import { getFleetOverview } from '../../server/src/features/fleet/api/get-fleet-overview.ts'
import { refreshFleetStatistics } from '../../server/src/features/issues/fleet-statistics.ts'
import { enrolment } from '../../server/test/channels/agent/agent-world.ts'
import { deploymentsIn } from '../../server/test/deployments/deployment-world.ts'
import { sequenceAll } from '../../server/test/events/read-log.ts'
import { since } from '../../server/test/issues/fleet-model.ts'
import { eventually, inBrowser, onFirstUse, screenshot } from '../../server/test/web/in-browser/open-browser.ts'
import { openPages } from '../../server/test/web/in-browser/open-pages.ts'
import { violations } from '../../server/test/web/in-browser/violations.ts'

const { address, as, db, database, given, visit, withToken } = await openPages()
const { agent, contact, deployment, work } = deploymentsIn(db, given)
const reader = as('computer.read')

const stepOf = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name })

inBrowser(
  'an empty system shows first steps, whose command enrols a computer, and which tick themselves off',
  async () => {
    const { page, goTo } = await visit()
    await goTo('/')
    await page.getByRole('heading', { name: 'First steps' }).waitFor()
    const wasEmpty = (await page.getByRole('navigation', { name: 'Figures' }).count()) === 0
    await screenshot(page, 'overview-empty')
    const violationsWhenEmpty = await violations(page)

    await page.getByRole('button', { name: 'Create command' }).click()
    const command = (await page.getByRole('group', { name: 'Enrol the computer', exact: true }).textContent()) ?? ''
    const token = /MUSTER_AGENT_TOKEN=(\S+)/.exec(command)?.[1] ?? ''
    const enrolled = await withToken(undefined).call(enrolAgent, { body: { ...enrolment(), token } })
    const computer = { id: enrolled.body.clientId }
    await contact(computer, new Date())
    await sequenceAll(db)
    await stepOf(page, 'Add a computer (done)').waitFor()
    const example = await given.package({ name: 'Greeting' })
    await recordBackup(database.pool)
    await sequenceAll(db)
    await stepOf(page, 'Import the example package (done)').waitFor()
    await stepOf(page, 'Back up Muster (done)').waitFor()
    await deployment(computer, example, { result: 'Success' })
    await given.package()
    await sequenceAll(db)
    await stepOf(page, 'Deploy it and watch it succeed (done)').waitFor()

    expect(wasEmpty).toBe(true)
    expect(violationsWhenEmpty).toEqual([])
    expect(command).toContain('run agent -- enrol --server http://127.0.0.1')
    expect(enrolled.status).toBe(200)
    expect(await page.getByText('4 of 5 done').count()).toBe(1)
    await page.getByRole('button', { name: 'Hide' }).click()
    expect(await page.getByRole('heading', { name: 'First steps' }).count()).toBe(0)
  },
)

/** Computers that differ in what the overview counts, and work that runs. They are newer than the samples of the trends. */
const givenFleet = onFirstUse(async () => {
  await sql`
    insert into fleet_history (metric, resolution, period, counts)
    select metric, 'Hour', now() - make_interval(hours => age), '{"total": 1, "reporting": 1, "withFailures": 1}'
    from unnest(array['computers', 'missingPatches']) as metric, generate_series(1, 2) as age`.execute(db)
  const product = await given.product()
  const critical = await given.patch({ products: [product], vendor_severity: 'Critical', release_date: '2020-01-01' })
  const software = await given.package({ name: 'Viewer' })
  for (let at = 0; at < 12; at++) {
    const computer = await given.computer({
      ...(at % 6 !== 5 && { lastSeen: since(at % 4 === 3 ? 300 : 0.1) }),
      ...(at % 2 === 0 && { os_name: 'Debian GNU/Linux' }),
      inventory_at: since(1),
    })
    await agent(computer, { is_reboot_required: at % 3 === 0 })
    if (at % 4 === 0) await deployment(computer, software, { result: 'Failed', failed_at: since(1) })
    if (at % 5 < 2)
      await given.patchScan(
        computer,
        at % 5 === 0 ? [{ key: critical.key, product: product.name, status: 'Missing' }] : [],
      )
    if (at < 2) await work(computer, software)
  }
  await refreshFleetStatistics(db)
})

type Figure = { to: string; value: number }

/** The contract's list of the computers behind a link that selects issues. */
function sweepOf(to: string): string | undefined {
  const [issue, ...others] = new URLSearchParams(to.split('?')[1]).getAll('issue')
  if (issue === undefined) return undefined
  return `/api/computer/issues/${others.length === 0 ? issue : `overview?issues=${[issue, ...others]}`}`
}

/** The number that each name has on the page, wherever it is shown: in tiles, charts and trends. */
const valuesByName = async (page: Page) => {
  const named = await page.evaluate<[name: string, value: string][]>(`[
    ...[...document.querySelectorAll('nav[aria-label="Figures"] a')].map((tile) =>
      [tile.querySelector('span[class*=label]'), tile.querySelector('span[class*=figure]')]),
    ...[...document.querySelectorAll('figure li:has(a)')].map((part) =>
      [part.querySelector('a'), part.querySelector('span[class*=number]')]),
    ...[...document.querySelectorAll('figure li:has(b)')].map((line) => [line.childNodes[1], line.querySelector('b')]),
  ].map(([name, value]) => [name.textContent.trim(), value.textContent])`)
  const byName = Map.groupBy(named, ([name]) => name)
  return new Map([...byName].map(([name, shown]) => [name, shown.map(([, value]) => value)]))
}

/** All links with their numbers, of the tiles and of the charts. */
const figuresOf = (page: Page) =>
  page.evaluate<
    Figure[]
  >(`[...document.querySelectorAll('nav[aria-label="Figures"] a, figure li:has(a)')].map((shown) => ({
    to: (shown.matches('a') ? shown : shown.querySelector('a')).getAttribute('href'),
    value: Number(shown.querySelector('span[class*=figure], span[class*=number]').textContent.replace(/,/g, '')),
  }))`)

inBrowser(
  'every figure of the overview is that of the API and of the sweep of its name, has one number wherever it is shown, has a table behind each chart, and leads to a list of as many computers',
  async () => {
    await givenFleet()
    const { page, goTo } = await visit()
    const requests: string[] = []
    page.on('request', (request) => {
      const { pathname } = new URL(request.url())
      if (pathname.startsWith('/api/') && pathname !== '/api/events/stream') requests.push(pathname)
    })
    await goTo('/')
    await page.getByRole('figure', { name: 'Agent status' }).waitFor()
    await eventually(() => page.locator('figure .mantine-RingProgress-root').count()).toBe(1)
    const firstRequests = [...requests]
    const figures = await figuresOf(page)
    const { counts } = (await reader.call(getFleetOverview)).body.statistics
    const valueIn = async (url: string) =>
      ((await reader.send({ method: 'GET', url })).body as { totalCount: number }).totalCount
    const listed = []
    const swept = []
    for (const { to } of figures) {
      listed.push({ to, value: await valueIn(`/api/fleet${to}`) })
      const sweep = sweepOf(to)
      if (sweep) swept.push({ to, value: await valueIn(sweep) })
    }
    await page.getByRole('figure', { name: 'Failures' }).waitFor()
    const values = await valuesByName(page)

    expect(figures).toEqual(listed)
    expect(figures.filter(({ to }) => sweepOf(to))).toEqual(swept)
    expect([...values].filter(([, shown]) => new Set(shown).size > 1)).toEqual([])
    expect(['Not reporting', 'Failed deployment', 'Reporting'].map((name) => values.get(name)?.length)).toEqual([
      2, 3, 2,
    ])
    expect(figures).toContainEqual({ to: '/computers', value: counts?.computers })
    expect(figures).toContainEqual({
      to: '/computers?missingSeverity=Critical',
      value: counts?.missingSeverity.Critical,
    })
    expect(figures.filter(({ value }) => value > 0).length).toBeGreaterThan(12)
    // The overview, what waits for decisions, whether the fleet is frozen, and the history of each of four charts.
    expect(firstRequests.length, firstRequests.join()).toBeLessThanOrEqual(7)
    await page.getByRole('link', { name: 'Deployment', exact: true }).first().waitFor()
    for (const button of await page.locator('figcaption button').all()) await button.press('Enter')
    const rows = page.getByRole('region', { name: 'Agent status' }).getByRole('rowheader')
    expect(await rows.allTextContents()).toEqual(['Reporting', 'Late', 'Silent', 'Never reported'])
    await page.getByRole('link', { name: /Missing critical patches/ }).click()
    await page.waitForURL('**/computers?missingSeverity=Critical')
  },
)

/** Resolves to the time since the navigation began, once the page shows its content and has nothing left to do. */
const interactiveAt = `new Promise((resolve) => {
  const look = () =>
    document.querySelector('main h1') && !document.querySelector('.mantine-Skeleton-root, [data-loading]')
      ? requestIdleCallback(() => resolve(performance.now()))
      : requestAnimationFrame(look)
  look()
})`

type Loaded = { type: string; url: string; bytes: number }

async function firstView(page: Page): Promise<{ loaded: Loaded[]; policy: string | undefined }> {
  const loaded: Promise<Loaded>[] = []
  page.on('requestfinished', (request) =>
    loaded.push(
      request.sizes().then(({ responseBodySize: bytes }) => ({
        type: request.resourceType(),
        url: request.url(),
        bytes,
      })),
    ),
  )
  const answer = await page.goto('/')
  await page.locator('figure').first().waitFor()
  await page.evaluate(interactiveAt)
  return { loaded: await Promise.all(loaded), policy: answer?.headers()['content-security-policy'] }
}

const sum = (parts: readonly Loaded[]) => parts.reduce((total, { bytes }) => total + bytes, 0)

inBrowser('the first view needs less than 300 kB of script and few requests, all to the service itself', async () => {
  await givenFleet()
  const { page } = await visit({ isAlone: true })

  const { loaded, policy } = await firstView(page)

  const scripts = loaded.filter(({ type }) => type === 'script')
  expect(sum(scripts)).toBeGreaterThan(50_000)
  expect(sum(scripts)).toBeLessThan(300_000)
  expect(sum(loaded)).toBeLessThan(400_000)
  expect(loaded.length).toBeLessThan(95)
  expect(loaded.filter(({ url }) => !url.startsWith(`${address}/`))).toEqual([])
  expect(policy?.replace(/'nonce-[^']+'/, "'nonce-…'").split('; ')).toEqual([
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'nonce-…'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ])
})

const blankPage = '/admin/nowhere'
const maxRatio = 3

inBrowser('on a slow processor, the first view can be used nearly as soon as a page without content', async () => {
  await givenFleet()
  const { page, context } = await visit({ isAlone: true })
  // The browser has the files already: what is compared is the time that the scripts take.
  for (const path of [blankPage, '/']) await timeToInteractive(page, path)
  const devTools = await context.newCDPSession(page)
  await devTools.send('Emulation.setCPUThrottlingRate', { rate: 4 })

  // Other programs on the machine may disturb one comparison, but not all of them.
  const ratios: number[] = []
  while (ratios.length < 3 && !ratios.some((ratio) => ratio < maxRatio)) {
    const blank = await timeToInteractive(page, blankPage)
    ratios.push((await timeToInteractive(page, '/')) / blank)
  }

  expect(Math.min(...ratios)).toBeLessThan(maxRatio)
})

async function timeToInteractive(page: Page, path: string): Promise<number> {
  await page.goto(path, { waitUntil: 'commit' })
  return page.evaluate<number>(interactiveAt)
}
