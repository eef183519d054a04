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
import { eventually, inBrowser, screenshot } from '../../server/test/web/in-browser/open-browser.ts'
import { openPages } from '../../server/test/web/in-browser/open-pages.ts'
import { violations } from '../../server/test/web/in-browser/violations.ts'

const { as, db, database, given, visit, withToken } = await openPages()
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
    const command = await page.getByLabel('Enrol the computer', { exact: true }).inputValue()
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
    expect(command).toContain('npm run agent -- enrol --server http://127.0.0.1')
    expect(enrolled.status).toBe(200)
    expect(await page.getByText('4 of 5 done').count()).toBe(1)
    await page.getByRole('button', { name: 'Hide' }).click()
    expect(await page.getByRole('heading', { name: 'First steps' }).count()).toBe(0)
  },
)

/** Computers that differ in what the overview counts, and work that runs. */
async function makeFleet() {
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
}

type Figure = { to: string; value: number }

/** All links with their numbers, of the tiles and of the charts. */
const figuresOf = (page: Page) =>
  page.evaluate<
    Figure[]
  >(`[...document.querySelectorAll('nav[aria-label="Figures"] a, figure li:has(a)')].map((shown) => ({
    to: (shown.matches('a') ? shown : shown.querySelector('a')).getAttribute('href'),
    value: Number(shown.querySelector('span[class*=figure], span[class*=number]').textContent.replace(/,/g, '')),
  }))`)

inBrowser(
  'every figure of the overview is that of the API, with a table behind each chart, and leads to a list of as many computers',
  async () => {
    await makeFleet()
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
    const listed = []
    for (const { to } of figures) {
      const { body } = await reader.send({ method: 'GET', url: `/api/fleet${to}` })
      listed.push({ to, value: (body as { totalCount: number }).totalCount })
    }

    expect(figures).toEqual(listed)
    expect(figures).toContainEqual({ to: '/computers', value: counts?.computers })
    expect(figures).toContainEqual({
      to: '/computers?missingSeverity=Critical',
      value: counts?.missingSeverity.Critical,
    })
    expect(figures.filter(({ value }) => value > 0).length).toBeGreaterThan(12)
    expect(firstRequests.length, firstRequests.join()).toBeLessThanOrEqual(5)
    await page.getByRole('link', { name: 'Deployment', exact: true }).first().waitFor()
    for (const button of await page.locator('figcaption button').all()) await button.press('Enter')
    const rows = page.getByRole('region', { name: 'Agent status' }).getByRole('rowheader')
    expect(await rows.allTextContents()).toEqual(['Reporting', 'Late', 'Silent', 'Never reported'])
    await page.getByRole('link', { name: /Missing critical patches/ }).click()
    await page.waitForURL('**/computers?missingSeverity=Critical')
  },
)
