import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { getGroupPage } from '../../server/src/features/fleet/api/get-group-page.ts'
import { listGroupTree } from '../../server/src/features/fleet/api/list-group-tree.ts'
import { getGroup } from '../../server/src/features/groups/api/get-group.ts'
import { getRollout } from '../../server/src/features/rollouts/api/get-rollout.ts'
import { sequenceAll } from '../../server/test/events/read-log.ts'
import { eventually, inBrowser, screenshot, settled } from '../../server/test/web/in-browser/open-browser.ts'
import { openPages } from '../../server/test/web/in-browser/open-pages.ts'
import { givenShownGroups, givenSimulatedComputer, ready } from './groups-world.ts'

const pages = await openPages()
const { as, db, given, visit } = pages
const { berlin, hamburg, tills } = await givenShownGroups(pages)
const reader = as('group.read', 'computer.read', 'package.read')

const item = (page: Page, name: string) => page.getByRole('treeitem', { name })
const figure = (page: Page, label: string) =>
  page.locator('dl > div', { has: page.getByText(label, { exact: true }) }).locator('dd')

inBrowser('the page of a group shows the numbers of the API', async () => {
  const { page, goTo } = await visit()
  await goTo(`/groups/${tills.id}/why`)
  await page.getByRole('heading', { name: 'Tills' }).waitFor()
  await settled(page)
  const { body } = await reader.call(getGroupPage, { params: { id: tills.id } })
  const { body: tree } = await reader.call(listGroupTree)
  expect(await figure(page, 'Computers').textContent()).toBe(String(body.computers))
  expect(await figure(page, 'Unreachable').textContent()).toBe(String(body.health?.Unreachable))
  for (const { name, computers } of tree.filter(({ id }) => id === berlin.id || id === tills.id))
    await page.getByRole('treeitem', { name: new RegExp(`${name}.*\\b${computers} computers`) }).waitFor()
  await page.getByRole('tab', { name: 'Assignments' }).click()
  for (const { name, originGroupPath, isInherited, status } of body.assignments) {
    const row = page.getByRole('row', { name })
    await row.getByText(isInherited ? originGroupPath : 'This group').waitFor()
    await row.getByText(`${status?.success} done, ${status?.failed} failed, ${status?.pending} pending`).waitFor()
  }
  await page.getByRole('tab', { name: 'Variables' }).click()
  const secret = page.getByRole('row', { name: /StorePassword/ })
  await secret.getByText('Secret').waitFor()
  expect(await page.content()).not.toContain('never shown')
})

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
  await item(page, 'Tills').waitFor()
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

inBrowser('a move shows beforehand what the group gains and loses, and can be undone', async () => {
  const { page, goTo } = await visit()
  await goTo(`/groups/${tills.id}/subgroups`)
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Move' }).click()
  const panel = page.getByRole('dialog')
  await panel.getByRole('combobox', { name: 'New parent' }).fill('hamb')
  await page.getByRole('option', { name: 'Configuration/Hamburg' }).click()

  await panel.getByText('Moves 2 groups with 5 computers to Configuration/Hamburg/Tills.').waitFor()
  await panel.getByText('Harbour Map 2.1 (Package)').waitFor()
  await panel.getByText('Example Editor 4.2 (Package)').waitFor()
  await panel.getByText('ProxyServer: proxy.berlin.example.org → proxy.example.org').waitFor()
  await screenshot(page, 'groups-move')
  expect((await reader.call(getGroup, { params: { id: tills.id } })).body.parentId).toBe(berlin.id)
  await panel.getByRole('button', { name: 'Move' }).click()

  await page.getByRole('navigation', { name: 'Groups above' }).getByRole('link', { name: 'Hamburg' }).waitFor()
  expect((await reader.call(getGroup, { params: { id: tills.id } })).body.parentId).toBe(hamburg.id)
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('navigation', { name: 'Groups above' }).getByRole('link', { name: 'Berlin' }).waitFor()
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
