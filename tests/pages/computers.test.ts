import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'
import { getTask } from '../../server/src/features/deployments/api/tasks/get-task.ts'
import { createEnrolmentToken } from '../../server/src/features/enrolment/api/create-enrolment-token.ts'
import { getGroupPage } from '../../server/src/features/fleet/api/get-group-page.ts'
import { listFleetComputers } from '../../server/src/features/fleet/api/list-fleet-computers.ts'
import { refreshFleetStatistics } from '../../server/src/features/issues/fleet-statistics.ts'
import { deploymentsIn } from '../../server/test/deployments/deployment-world.ts'
import { sequenceAll } from '../../server/test/events/read-log.ts'
import { eventually, inBrowser } from '../../server/test/web/in-browser/open-browser.ts'
import { openPages } from '../../server/test/web/in-browser/open-pages.ts'
import { readScenario } from '../../simulator/src/scenario.ts'
import { simulate } from '../../simulator/src/simulation.ts'

const { address, as, db, given, visit } = await openPages()
const world = deploymentsIn(db, given)
const reader = as('computer.read', 'group.read', 'package.read')

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
    const { page, goTo } = await visit()
    const target = await given.group({ tree: 'AssignmentGroups', name: 'Kiosks' })
    await goTo('/computers?search=till')
    await row(page, 'till-1').focus()
    await page.keyboard.press('Space')
    await page.keyboard.press('Shift+ArrowDown')
    await page.getByText('2 computers selected').waitFor()

    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Add to group' }).click()
    const panel = page.getByRole('dialog')
    await panel.getByRole('combobox', { name: 'Group' }).fill('Kiosks')
    await page.getByRole('option', { name: 'Assignment/Kiosks' }).click()
    await panel.getByText('Adds 2 computers to Assignment/Kiosks.').waitFor()
    await panel.getByRole('button', { name: 'Add to group' }).click()
    await row(page, 'till-1.*Kiosks').waitFor()
    const { body } = await reader.call(listFleetComputers, { query: { groupId: [target.id] } })
    expect(body.totalCount).toBe(2)

    await page.getByRole('button', { name: 'Restart' }).click()
    await panel.getByText('Restarts 2 computers after work that has begun.').waitFor()
    await panel.getByRole('button', { name: 'Restart' }).click()
    await eventually(async () => page.url()).toContain('/tasks/')
    const trackingId = page.url().split('/').at(-1) ?? ''
    expect((await reader.call(getTask, { params: { trackingId } })).body.type).toBe('Reboot')
    for (const till of tills)
      expect(await world.workOf(till)).toMatchObject([{ kind: 'Power', power_action: 'Reboot' }])
  },
)

const ready = { is_operational: true, hash_state: 'Current', content_hash: Buffer.alloc(32, 'a') }

let simulatedComputers = 0

/** Starts a simulated computer, which does its work at once, until the end of the test. `wake` makes it contact the service. */
async function givenSimulatedComputer() {
  const { body: token } = await as('admin.manage').call(createEnrolmentToken, {
    body: { expiresAtUtc: '2099-01-01T00:00:00Z' },
  })
  const scenario = readScenario({
    seed: 5,
    computers: 1,
    // Each is another machine.
    firstNumber: ++simulatedComputers,
    connections: 1,
    enrolment: { perSecond: 1_000 },
    work: { failureRate: 0, interruptionRate: 0, postponementRate: 0, minimumSeconds: 0, maximumSeconds: 0.01 },
    reboots: { perDay: 0 },
    shares: { suspended: 0 },
  })
  const simulation = simulate({ scenario, server: address, tokenOf: () => token.token })
  onTestFinished(() => simulation.stop())
  await eventually(async () => simulation.fleet.clientId[0]).toBeGreaterThan(0)
  return { id: Number(simulation.fleet.clientId[0]), wake: () => simulation.wake([0]) }
}

inBrowser('a package is assigned and deployed to a simulated computer, and the page shows it by itself', async () => {
  const kiosk = await given.group({ name: 'Kiosk' })
  const computer = await givenSimulatedComputer()
  await given.member(kiosk, computer)
  const game = await given.package({ name: 'Kiosk Browser', version: '7', ...ready })
  const { page, goTo } = await visit()
  await goTo(`/groups/${kiosk.id}/assignments`)

  await page.getByRole('button', { name: 'Assign package' }).click()
  const panel = page.getByRole('dialog')
  await panel.getByRole('combobox', { name: 'Package' }).fill('kiosk')
  await page.getByRole('option', { name: /Kiosk Browser 7/ }).click()
  await panel.getByText('Assigns Kiosk Browser 7 to Configuration/Kiosk. 1 computer gets it').waitFor()
  await panel.getByRole('button', { name: 'Assign package' }).click()
  const row = page.getByRole('row', { name: 'Kiosk Browser' })
  await row.getByText('0 done, 0 failed, 1 pending').waitFor()
  await page.getByRole('button', { name: 'Deploy', exact: true }).click()
  await panel.getByText('Brings everything assigned to the 1 computer of Configuration/Kiosk, at once.').waitFor()
  await panel.getByRole('button', { name: 'Deploy' }).click()
  await page.waitForURL(/\/tasks\/[0-9a-f-]+$/)

  await page.goBack()
  await row.waitFor()
  await eventually(async () => {
    computer.wake()
    await sequenceAll(db)
    return row.textContent()
  }).toContain('1 done, 0 failed, 0 pending')
  const { body } = await reader.call(getGroupPage, { params: { id: kiosk.id } })
  expect(body.assignments).toMatchObject([{ objectId: game.id, status: { success: 1 } }])
})

inBrowser(
  'a restart and a scan are carried out by a simulated computer, which the open page shows by itself',
  async () => {
    const group = await given.group({ name: 'Desks' })
    const computer = await givenSimulatedComputer()
    await given.member(group, computer)
    const manifest = JSON.stringify({ commands: { install: { shell: 'true' } } })
    const scan = await given.package({ name: 'Inventory Scan', kind: 'InventoryScan', ...ready, manifest })
    await given.assignment(group, scan, 'package')
    const { page, goTo } = await visit()
    const request = async (button: string) => {
      await page.getByRole('button', { name: button, exact: true }).click()
      const panel = page.getByRole('dialog')
      await panel.getByText(/at its next contact|minutes after/).waitFor()
      await panel.getByRole('button', { name: button, exact: true }).click()
      await page.waitForURL(/\/tasks\//)
      return new URL(page.url()).pathname.split('/').at(-1) ?? ''
    }
    const taskOf = async (trackingId: string) => (await reader.call(getTask, { params: { trackingId } })).body
    const finished = 2
    const carryOut = async (trackingId: string) => {
      await eventually(async () => {
        computer.wake()
        return (await taskOf(trackingId)).status
      }).toBe(finished)
      await sequenceAll(db)
    }

    await goTo(`/computers/${computer.id}`)
    for (const [button, type] of [
      ['Restart', 'Reboot'],
      ['Rescan', 'Rescan'],
    ] as const) {
      const trackingId = await request(button)
      expect(await taskOf(trackingId)).toMatchObject({ type, clientId: computer.id })
      await page.goBack()
      await page.getByRole('heading', { name: 'Latest tasks' }).waitFor()
      const link = page.getByRole('link', { name: type === 'Reboot' ? 'Restart' : 'Scan: Inventory Scan' })
      const row = page.getByRole('listitem').filter({ has: link })
      await row.getByText('Running').waitFor()
      await carryOut(trackingId)
      await row.getByText('Finished').waitFor()
    }
  },
)
