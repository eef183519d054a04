import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { getTask } from '../../server/src/features/deployments/api/tasks/get-task.ts'
import { getComputerFacets } from '../../server/src/features/fleet/api/get-computer-facets.ts'
import { listFleetComputers } from '../../server/src/features/fleet/api/list-fleet-computers.ts'
import { refreshFleetStatistics } from '../../server/src/features/issues/fleet-statistics.ts'
import { deploymentsIn } from '../../server/test/deployments/deployment-world.ts'
import { eventually, inBrowser } from '../../server/test/web/in-browser/open-browser.ts'
import { openPages } from '../../server/test/web/in-browser/open-pages.ts'

const { as, db, given, visit } = await openPages()
const world = deploymentsIn(db, given)
const reader = as('computer.read')

const fleetSize = 3_000
const branch = await given.group({ name: 'Branch' })
await sql`
  insert into computers (name, domain, is_domain, uuid)
  select 'desk-' || lpad(n::text, 5, '0'), 'corp.example.org', true, gen_random_uuid() from generate_series(1, ${fleetSize}::integer) n`.execute(
  db,
)
const tills = [await given.computer({ name: 'till-1' }), await given.computer({ name: 'till-2' })]
for (const till of tills) {
  await given.member(branch, till)
  await world.agent(till, { logged_on_user: till.name === 'till-1' ? 'alice' : 'bob' })
  await world.contact(till, new Date())
}
await refreshFleetStatistics(db)

const rows = (page: Page) => page.locator('tr[data-index]')
const row = (page: Page, name: string) => page.getByRole('row', { name: new RegExp(name) })
const total = (page: Page, count: string) => page.getByText(`${count} computers`, { exact: true }).waitFor()

inBrowser(
  'the list shows the numbers of the API; search, facets and order are in the address, and back returns to them',
  async () => {
    const { page, goTo } = await visit()
    await goTo('/computers')
    await total(page, '3,002')
    const { body: facets } = await reader.call(getComputerFacets, { query: {} })
    const unknown = facets.agentStatus.find(({ value }) => value === 'Unknown')?.count ?? 0
    const filters = page.getByRole('main').getByRole('search')
    await filters.getByRole('button', { name: 'Agent', exact: true }).click()
    await page.getByRole('checkbox', { name: `Never reported, ${unknown.toLocaleString('en')} computers` }).click()
    await page.keyboard.press('Escape')
    await total(page, unknown.toLocaleString('en'))
    expect(unknown).toBe(fleetSize)
    expect(new URL(page.url()).search).toBe('?agentStatus=Unknown')

    await filters.getByRole('searchbox').fill('desk-000')
    await total(page, '99')
    await page.getByRole('button', { name: 'Name', exact: true }).click()
    await expect.poll(() => new URL(page.url()).search).toContain('descending=true')
    await eventually(() => rows(page).first().textContent()).toContain('desk-00099')
    const csv = await page.getByRole('link', { name: 'Download CSV' }).getAttribute('href')
    expect(csv).toBe('/api/fleet/computers/csv?search=desk-000&agentStatus=Unknown&descending=true')
    expect(await (await page.request.get(csv ?? '')).text()).toMatch(/desk-00099[\s\S]*desk-00001/)

    await page.goBack()
    await eventually(() => rows(page).first().textContent()).toContain('desk-00001')
    await page.goBack()
    await total(page, unknown.toLocaleString('en'))
  },
)

inBrowser('thousands of rows are scrolled through while few exist, and a page is left and found again', async () => {
  const { page, goTo } = await visit()
  const asked: URL[] = []
  page.on('request', (request) => {
    const url = new URL(request.url())
    if (url.pathname === '/api/fleet/computers') asked.push(url)
  })
  await goTo('/computers')
  await row(page, 'desk-00001').focus()
  await page.keyboard.press('End')
  await row(page, 'till-2').waitFor()
  expect(await page.evaluate('document.activeElement.ariaRowIndex')).toBe('3003')
  expect(await rows(page).count()).toBeLessThan(60)
  expect(asked.length).toBeLessThan(5)

  const grid = page.getByRole('grid')
  expect(await grid.getAttribute('aria-rowcount')).toBe('3003')
  const list = grid.locator('..')
  await list.evaluate((element) => element.scrollTo(0, 1_500 * 40))
  await row(page, 'desk-01505').waitFor()
  await list.evaluate((element) => element.scrollTo(0, 1_600 * 40))
  await row(page, 'desk-01605').waitFor()
  expect(asked.filter((url) => url.searchParams.has('cursor')).length).toBeGreaterThan(0)
  expect(await rows(page).count()).toBeLessThan(60)

  await page.getByRole('link', { name: 'desk-01605' }).click()
  await eventually(async () => page.url()).toMatch(/\/computers\/\d+$/)
  await page.goBack()
  await row(page, 'desk-01605').waitFor()
})

inBrowser(
  'a selection made by keyboard is added to a group and restarted, which is seen without a reload',
  async () => {
    const { page, goTo } = await visit({ isAlone: true })
    const target = await given.group({ tree: 'AssignmentGroups', name: 'Kiosks' })
    await goTo('/computers?search=till')
    await row(page, 'till-1').focus()
    await page.keyboard.press('Space')
    await page.keyboard.press('Shift+ArrowDown')
    await page.getByText('2 computers selected').waitFor()

    await page.getByRole('button', { name: 'Add to group' }).click()
    const panel = page.getByRole('dialog')
    await panel.getByRole('combobox', { name: 'Group' }).fill('Kiosks')
    await page.getByRole('option', { name: 'Kiosks' }).click()
    await panel.getByText('Adds 2 computers to Kiosks.').waitFor()
    await panel.getByRole('button', { name: 'Add to group' }).click()
    await row(page, 'till-1.*Kiosks').waitFor()
    const { body } = await reader.call(listFleetComputers, { query: { groupId: [target.id] } })
    expect(body.totalCount).toBe(2)

    await page.getByRole('button', { name: 'Restart' }).click()
    await panel.getByText('Restarts 2 computers at the next contact of the agent').waitFor()
    await panel.getByRole('button', { name: 'Restart' }).click()
    await eventually(async () => page.url()).toContain('/tasks/')
    const trackingId = page.url().split('/').at(-1) ?? ''
    expect((await reader.call(getTask, { params: { trackingId } })).body.type).toBe('Reboot')
    for (const till of tills)
      expect(await world.workOf(till)).toMatchObject([{ kind: 'Power', power_action: 'Reboot' }])
  },
)

inBrowser(
  'all computers that match are selected, not only those that are loaded, and a view keeps filters and columns',
  async () => {
    const { page, goTo } = await visit({ isAlone: true })
    await goTo('/computers?search=desk')
    await row(page, 'desk-00001').focus()
    await page.keyboard.press('Space')
    await page.getByRole('button', { name: 'Select all 3,000 that match' }).click()
    await page.getByText('3,000 computers selected').waitFor()
    await page.getByRole('button', { name: 'Rescan' }).click()
    await page.getByText('Requests the complete inventory of 3,000 computers').waitFor()
    await page.getByRole('textbox', { name: 'Type the number of computers (3000) to confirm' }).fill('3000')
    await page.getByRole('dialog').getByRole('button', { name: 'Rescan' }).click()
    await eventually(async () => page.url()).toContain('/tasks/')

    await goTo('/computers?search=till&sort=loggedOnUser')
    await page.getByRole('button', { name: 'Columns' }).click()
    await page.getByRole('checkbox', { name: 'Operating system' }).uncheck()
    await page.keyboard.press('Escape')
    await eventually(() => page.getByRole('columnheader', { name: 'Operating system' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Views' }).click()
    await page.getByRole('textbox', { name: 'Name of the view' }).fill('Tills by user')
    await page.getByRole('button', { name: 'Save view' }).click()
    await goTo('/computers')
    await page.getByRole('button', { name: 'Views' }).click()
    await page.getByRole('link', { name: 'Tills by user' }).click()
    await total(page, '2')
    expect(await page.getByRole('columnheader', { name: 'User' }).getAttribute('aria-sort')).toBe('ascending')
    expect(await page.getByRole('columnheader', { name: 'Operating system' }).count()).toBe(0)
  },
)
