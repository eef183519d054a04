import { expect, onTestFinished } from 'vitest'
import { getComputer } from '../../server/src/features/computers/api/get-computer.ts'
import { updateComputer } from '../../server/src/features/computers/api/update-computer.ts'
import { getTask } from '../../server/src/features/deployments/api/tasks/get-task.ts'
import { createEnrolmentToken } from '../../server/src/features/enrolment/api/create-enrolment-token.ts'
import { explainComputer } from '../../server/src/features/explain/api/explain-computer.ts'
import { getComputerPage } from '../../server/src/features/fleet/api/get-computer-page.ts'
import { sequenceAll } from '../../server/test/events/read-log.ts'
import { eventually, inBrowser, screenshot } from '../../server/test/web/in-browser/open-browser.ts'
import { openPages } from '../../server/test/web/in-browser/open-pages.ts'
import { readScenario } from '../../simulator/src/scenario.ts'
import { simulate } from '../../simulator/src/simulation.ts'
import { givenShownComputer } from './computer-world.ts'

const pages = await openPages()
const { address, as, db, given, visit } = pages
const shown = await givenShownComputer(pages)
const { id } = shown.computer
const params = { id }
const reader = as('computer.read')
const readPage = async () => (await reader.call(getComputerPage, { params })).body

inBrowser('the page of a computer shows what the API says', async () => {
  const { page, goTo } = await visit()
  const { packages, issues } = await readPage()
  await goTo(`/computers/${id}`)
  for (const text of ['Has issues', 'Restart required', 'alice', 'Debian GNU/Linux · 12', '192.0.2.17'])
    await page.getByText(text, { exact: true }).first().waitFor()
  for (const { detail } of issues) await page.getByText(detail).first().waitFor()
  for (const [status, label] of [
    ['Success', 'In place'],
    ['Failed', 'Failed'],
    ['Pending', 'Pending'],
  ] as const)
    await page
      .getByRole('link', { name: `${packages.filter((one) => one.status === status).length} ${label}` })
      .waitFor()
  await page.getByRole('tab', { name: `Issues (${issues.length})` }).waitFor()

  await page.getByRole('tab', { name: 'Software' }).click()
  for (const { name, assignedGroupPath } of packages)
    await page.getByRole('row', { name: new RegExp(`${name}.*${assignedGroupPath}`) }).waitFor()
  expect(new URL(page.url()).pathname).toBe(`/computers/${id}/software`)
  await page.goBack()
  await page.getByRole('heading', { name: 'Device' }).waitFor()
})

inBrowser('why a package waits or failed is shown when its row is opened, as explained by the API', async () => {
  const { page, goTo } = await visit()
  const query = { packageId: shown.waiting.id }
  const { body } = await reader.call(explainComputer, { params, query })
  await goTo(`/computers/${id}/software`)

  await page.getByRole('button', { name: /Receipt Printer/ }).click()
  await page.getByText('The package is not Ready to Install.').waitFor()
  const blockers = await page.locator('section', { hasText: 'What it waits for' }).getByRole('listitem').count()
  await page.getByRole('row').getByText(`Package Receipt Printer`).first().waitFor()
  await page.getByText('Waits for the agent').waitFor()
  await screenshot(page, 'computer-why')
  await page.getByRole('button', { name: /Card Reader Driver/ }).click()
  await page.getByText('no space left on device').waitFor()
  await page.getByText('The command ended with 1603.').waitFor()

  expect(body.blockers.map(({ reason }) => reason)).toContain('NotReleased')
  expect(blockers).toBe(body.blockers.length)
  expect(new URL(page.url()).searchParams.get('why')).toBe(shown.failed.id)
})

inBrowser(
  'a restart and a scan are carried out by a simulated computer, which the open page shows by itself',
  async () => {
    const { body: token } = await as('admin.manage', 'group.write').call(createEnrolmentToken, {
      body: { expiresAtUtc: '2099-01-01T00:00:00Z', groupId: shown.group.id },
    })
    const scenario = readScenario({
      seed: 3,
      computers: 1,
      connections: 1,
      enrolment: { perSecond: 1_000 },
      work: { failureRate: 0, minimumSeconds: 0, maximumSeconds: 0.01 },
      reboots: { perDay: 0 },
    })
    const simulation = simulate({ scenario, server: address, tokenOf: () => token.token })
    onTestFinished(() => simulation.stop())
    await eventually(async () => simulation.fleet.clientId[0]).toBeGreaterThan(0)
    const computerId = Number(simulation.fleet.clientId[0])
    const scan = await given.package({
      name: 'Inventory Scan',
      kind: 'InventoryScan',
      is_operational: true,
      hash_state: 'Current',
      content_hash: Buffer.alloc(32, 7),
      manifest: JSON.stringify({ commands: { install: { shell: 'true' } } }),
    })
    await given.assignment(shown.group, scan, 'package')
    const { page, goTo } = await visit()
    const open = async () => {
      await goTo(`/computers/${computerId}`)
      await page.getByRole('heading', { name: 'Latest tasks' }).waitFor()
    }
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
        simulation.wake([0])
        return (await taskOf(trackingId)).status
      }).toBe(finished)
      await sequenceAll(db)
    }

    for (const [button, type] of [
      ['Restart', 'Reboot'],
      ['Rescan', 'Rescan'],
    ] as const) {
      await open()
      const trackingId = await request(button)
      expect(await taskOf(trackingId)).toMatchObject({ type, clientId: computerId })
      await open()
      const link = page.getByRole('link', { name: type === 'Reboot' ? 'Restart' : 'Scan: Inventory Scan' })
      const row = page.getByRole('listitem').filter({ has: link })
      await row.getByText('Running').waitFor()
      await carryOut(trackingId)
      await row.getByText('Finished').waitFor()
    }
  },
)

inBrowser('a computer is deleted after its count is typed, and is gone for everybody who has it open', async () => {
  const computer = await given.computer({ name: 'old-till' })
  await given.member(shown.group, computer)
  const [mine, theirs] = [await visit(), await visit()]
  for (const { goTo } of [mine, theirs]) await goTo(`/computers/${computer.id}`)
  await theirs.page.getByRole('heading', { name: 'old-till' }).waitFor()
  const { page } = mine
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('dialog', { name: 'Delete old-till' }).waitFor()
  const panel = page.getByRole('dialog')
  await panel.getByText('It leaves 1 group').waitFor()
  const confirm = panel.getByRole('button', { name: 'Delete', exact: true })
  expect(await confirm.isDisabled()).toBe(true)
  await panel.getByLabel(/Type the number of computers/).fill('1')

  await as('computer.write').call(updateComputer, { params: { id: computer.id }, body: { name: 'new-till' } })
  await confirm.click()
  await panel.getByText('Someone else has changed this since you looked.').waitFor()
  await panel.getByText('Deletes new-till').waitFor()
  expect((await reader.call(getComputer, { params: { id: computer.id } })).status).toBe(200)
  await screenshot(page, 'computer-delete-conflict')
  await confirm.click()
  await page.waitForURL(/\/computers$/)
  expect((await reader.call(getComputer, { params: { id: computer.id } })).status).toBe(404)
  await sequenceAll(db)
  await theirs.page.getByText('This computer does not exist').waitFor()
  await theirs.page.getByRole('link', { name: 'Go to computers' }).click()
  await theirs.page.waitForURL(/\/computers$/)
})
