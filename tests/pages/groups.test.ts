import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { getComputer } from '../../server/src/features/computers/api/get-computer.ts'
import { updateComputer } from '../../server/src/features/computers/api/update-computer.ts'
import { getTask } from '../../server/src/features/deployments/api/tasks/get-task.ts'
import { getGroupPage } from '../../server/src/features/fleet/api/get-group-page.ts'
import { getGroup } from '../../server/src/features/groups/api/get-group.ts'
import { getRollout } from '../../server/src/features/rollouts/api/get-rollout.ts'
import { sequenceAll } from '../../server/test/events/read-log.ts'
import { eventually, inBrowser, screenshot } from '../../server/test/web/in-browser/open-browser.ts'
import { openPages } from '../../server/test/web/in-browser/open-pages.ts'
import { givenShownGroups, givenSimulatedComputer, ready } from './groups-world.ts'

const pages = await openPages()
const { as, db, given, visit } = pages
const { tills } = await givenShownGroups(pages)
const reader = as('group.read', 'computer.read', 'package.read')

const item = (page: Page, name: string) => page.getByRole('treeitem', { name })

inBrowser('the tree is used with the keyboard alone, and the address keeps what is open and chosen', async () => {
  const { page, goTo } = await visit()
  await goTo('/groups')
  const tree = page.getByRole('tree')
  await item(page, 'Hamburg').waitFor()
  const current = async () => {
    const id = await tree.getAttribute('aria-activedescendant')
    return page.locator(`[id="${id}"] [title]`).getAttribute('title')
  }
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key)
  }

  await page.getByRole('searchbox').focus()
  await press('Tab')
  expect(await tree.evaluate((element) => element.matches(':focus-visible'))).toBe(true)
  await press('Home', 'ArrowDown')
  expect(await current()).toBe('Berlin')
  await press('ArrowRight')
  await page.getByRole('treeitem', { name: /Tills.*\b5 computers/ }).waitFor()
  await press('ArrowRight')
  await eventually(current).toBe('Tills')
  await press('ArrowLeft')
  expect(await current()).toBe('Berlin')
  await page.keyboard.type('ham')
  expect(await current()).toBe('Hamburg')
  await press('End', 'Home')
  expect(await current()).toBe('Configuration')
  await page.keyboard.type('ti')
  await press('Enter')
  await page.getByRole('heading', { name: 'Tills' }).waitFor()
  expect(await tree.evaluate((element) => element === element.ownerDocument.activeElement)).toBe(true)

  await page.reload()
  await item(page, 'Tills').waitFor()
  expect(await item(page, 'Berlin').getAttribute('aria-expanded')).toBe('true')
  expect(await item(page, 'Tills').getAttribute('aria-selected')).toBe('true')
  await page.getByRole('searchbox', { name: 'Search groups' }).fill('self')
  await item(page, 'Self-service').waitFor()
  await eventually(() => item(page, 'Hamburg').count()).toBe(0)
})

inBrowser('a package is assigned and deployed to a simulated computer, and the page shows it by itself', async () => {
  const kiosk = await given.group({ name: 'Kiosk' })
  const computer = await givenSimulatedComputer(pages)
  await given.member(kiosk, computer)
  const game = await given.package({ name: 'Kiosk Browser', version: '7', ...ready })
  const { page, goTo } = await visit()
  await goTo(`/groups/${kiosk.id}/assignments`)

  await page.getByRole('button', { name: 'Assign package' }).click()
  const panel = page.getByRole('dialog')
  await panel.getByRole('combobox', { name: 'Package' }).fill('kiosk')
  await page.getByRole('option', { name: /Kiosk Browser 7/ }).click()
  await panel.getByText('Assigns Kiosk Browser 7 to Kiosk. 1 computer gets it').waitFor()
  await panel.getByRole('button', { name: 'Assign package' }).click()
  const row = page.getByRole('row', { name: 'Kiosk Browser' })
  await row.getByText('0 done, 0 failed, 1 pending').waitFor()
  await page.getByRole('button', { name: 'Deploy', exact: true }).click()
  await panel.getByText('Brings everything assigned to 1 computer.').waitFor()
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

inBrowser('a rollout shows its rings beforehand, and lands on its page', async () => {
  const { page, goTo } = await visit()
  await goTo(`/groups/${tills.id}`)
  await page.getByRole('button', { name: 'Deploy', exact: true }).click()
  const panel = page.getByRole('dialog')
  await panel.getByRole('radio', { name: 'In rings' }).check()
  await panel.getByText('Reaches 5 computers in 3 rings.').waitFor()
  const rings = panel.getByRole('table', { name: 'Rings' }).getByRole('row')
  expect(await rings.count()).toBe(4)
  await rings.nth(1).getByText('Pilot').waitFor()
  await panel.getByRole('button', { name: 'Remove ring 2' }).click()
  await panel.getByText('Reaches 5 computers in 2 rings.').waitFor()
  await panel.getByRole('button', { name: 'Advanced' }).click()
  await panel.getByRole('button', { name: 'Add window' }).click()
  await panel.getByRole('checkbox', { name: 'Sat' }).press(' ')
  await panel.getByLabel('Opens at').fill('21:30')
  await panel.getByRole('textbox', { name: 'Deadline' }).fill('2030-02-01T06:00')
  await panel.getByLabel('Pause at this many failed restarts').fill('')
  await panel.getByText('Reaches 5 computers in 2 rings.').waitFor()
  await screenshot(page, 'groups-rings')

  await panel.getByRole('button', { name: 'Deploy' }).click()

  await page.waitForURL(/\/rollouts\/[0-9a-f-]+$/)
  const { body } = await reader.call(getRollout, { params: { id: page.url().split('/').at(-1) ?? '' } })
  const window = { days: ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'], start: '21:30', durationMinutes: 240 }
  const [pilot] = body.rings
  expect(body).toMatchObject({ groupId: tills.id, ringCount: 2, computerCount: 5, criteria: { bootFailures: null } })
  expect(pilot?.windows).toEqual([window])
  expect(body.deadlineUtc?.slice(0, 7)).toMatch(/2030-0[12]/)
  await page.getByText('Window: Mon, Tue, Wed, Thu, Fri, Sat from 21:30 for 4 hours').first().waitFor()
})

inBrowser('members, variables and options are changed, and a group is deleted after its count was typed', async () => {
  const { page, goTo } = await visit()
  const group = await given.group({ name: 'Workshop' })
  await given.computer({ name: 'bench-1' })
  const panel = page.getByRole('dialog')
  await goTo(`/groups/${group.id}`)

  await page.getByRole('button', { name: 'Add computers' }).click()
  await panel.getByRole('combobox', { name: 'Computers' }).fill('bench')
  await page.getByRole('option', { name: 'bench-1' }).click()
  // Leaving the field closes its list.
  await page.keyboard.press('Tab')
  await panel.getByText('Adds 1 computer.').waitFor()
  await panel.getByRole('button', { name: 'Add computers' }).click()
  await page.getByRole('link', { name: 'bench-1' }).waitFor()

  await page.getByRole('tab', { name: 'Variables' }).click()
  await page.getByRole('button', { name: 'Set ProxyServer' }).click()
  await panel.getByRole('textbox', { name: 'Value' }).fill('proxy.workshop.example.org')
  await panel.getByText('Sets ProxyServer for up to 1 computer.').waitFor()
  await panel.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('row', { name: /proxy\.workshop\.example\.org.*This group/ }).waitFor()

  await page.getByRole('tab', { name: 'Distribution options' }).click()
  await page.getByText('No group has options: packages are installed at once.').waitFor()
  await page.getByRole('button', { name: 'Edit options' }).click()
  await panel.getByRole('combobox', { name: 'Command' }).selectOption('Update')
  await panel.getByText('Changes the options for 1 computer').waitFor()
  // The notice with the undo of the added computer may lie over the button.
  await panel.getByRole('button', { name: 'Save' }).press('Enter')
  await page.getByText('Set on this group.').waitFor()
  await page.getByRole('button', { name: 'Inherit options again' }).click()
  await panel
    .getByText('Removes the options of this group. From their next activation on, these apply to 1 computer:')
    .waitFor()
  await panel.getByText('Install where the package is missing').waitFor()
  await panel.getByRole('button', { name: 'Remove own options' }).press('Enter')
  await page.getByText('No group has options: packages are installed at once.').waitFor()

  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  const confirm = panel.getByRole('button', { name: 'Delete' })
  const count = panel.getByRole('textbox', { name: 'Type the number of computers' })
  await count.waitFor()
  expect(await confirm.isDisabled()).toBe(true)
  await count.fill('1')
  await confirm.click()
  await eventually(() => item(page, 'Workshop').count()).toBe(0)
  expect((await reader.call(getGroup, { params: { id: group.id } })).status).toBe(404)
})

inBrowser(
  'a restart and a scan are carried out by a simulated computer, which the open page shows by itself',
  async () => {
    const group = await given.group({ name: 'Desks' })
    const computer = await givenSimulatedComputer(pages)
    await given.member(group, computer)
    const manifest = JSON.stringify({ commands: { install: { shell: 'true' } } })
    const scan = await given.package({ name: 'Inventory Scan', kind: 'InventoryScan', ...ready, manifest })
    await given.assignment(group, scan, 'package')
    const { page, goTo } = await visit()
    const open = async () => {
      await goTo(`/computers/${computer.id}`)
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
        computer.wake()
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
      expect(await taskOf(trackingId)).toMatchObject({ type, clientId: computer.id })
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
  await given.member(tills, computer)
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
