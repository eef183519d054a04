import { expect } from 'vitest'
import { setBlastRadius } from '../../server/src/features/blast-radius/api/set-blast-radius.ts'
import { activateGroup } from '../../server/src/features/deployments/api/group-activation/activate-group.ts'
import { openRolloutWorld } from '../../server/test/rollouts/rollout-world.ts'
import { eventually, inBrowser, settled } from '../../server/test/web/in-browser/open-browser.ts'
import { servePages } from '../../server/test/web/in-browser/open-pages.ts'
import { byKeyboard } from './by-keyboard.ts'

/** Who deploys to more computers than this types their number. */
const confirmCountAbove = 2
const fleetSize = 4

const world = await openRolloutWorld({ signInRateLimit: 0, confirmCountAbove })
const { visit } = await servePages(world)
const { app, as, fleet, given, read, withToken } = world

async function openAt(path: string) {
  const { page, goTo } = await visit()
  await goTo(path)
  await page.locator('main h1').waitFor()
  await settled(page)
  const keys = byKeyboard(page)
  await keys.listen()
  return { page, ...keys }
}

inBrowser('a package is deployed without a mouse: reviewed, confirmed by the typed number, and announced', async () => {
  const { group } = await fleet(fleetSize)
  const person = await openAt(`/groups/${group.id}`)

  await person.tabTo('button "Deploy"')
  await person.press('Enter')
  await person.hears('radio "In rings" [checked]')
  await person.press('ArrowDown')
  await person.hears('radio "At once" [checked]')
  await person.announces(/Brings everything assigned to the 4 computers/)
  const stops = await person.staysInDialog()
  const tree = await person.tree()
  await person.tabTo('textbox "Type the number of computers (4) to confirm"')
  await person.type('40')
  await person.press('Enter')
  expect(person.page.url()).toContain('/groups/')
  expect(await person.tree()).toContain('- button "Deploy" [disabled]')
  await person.press('Backspace')
  expect(await person.tree()).toMatch(/- button "Deploy"$/m)
  await person.tabTo('button "Deploy"')
  await person.press('Enter')

  await person.page.waitForURL(/\/tasks\//)
  await person.hears('heading')
  await person.announces(/The work was created/)
  expect(tree).toMatch(/^- dialog "Deploy to .*":/)
  expect(tree).toContain('radiogroup "How"')
  expect(tree).toContain('- button "Deploy" [disabled]')
  expect(stops).toEqual(expect.arrayContaining(['button "Close"', 'button "Cancel"', 'radio "At once" [checked]']))
  expect(await person.faults()).toEqual([])
})

inBrowser('Escape asks before it loses what was typed, and the focus returns to where it was', async () => {
  const { group } = await fleet(fleetSize)
  const person = await openAt(`/groups/${group.id}`)

  await person.tabTo('button "Deploy"')
  await person.press('Enter')
  await person.hears('radio "In rings"')
  await person.press('Escape')
  await person.hears('button "Deploy"')
  await person.press('Enter')
  await person.hears('radio "In rings"')
  await person.tabTo('textbox "Name"')
  await person.type(' of the north')
  await person.press('Escape')
  await person.hears('button "Keep editing"')
  expect(await person.tree()).toMatch(/^- dialog "Discard your input\?":/)
  await person.staysInDialog()
  await person.press('Escape')
  await person.hears('textbox "Name"')
  await person.press('Escape')
  await person.hears('button "Keep editing"')
  await person.tabTo('button "Discard"', 'Shift+Tab')
  await person.press('Enter')

  await person.hears('button "Deploy"')
  expect(await person.page.getByRole('dialog').count()).toBe(0)
  expect(await person.faults()).toEqual([])
})

inBrowser('a rollout with rings is planned and started without a mouse', async () => {
  const { group } = await fleet(fleetSize)
  const person = await openAt(`/groups/${group.id}`)

  await person.tabTo('button "Deploy"')
  await person.press('Enter')
  await person.hears('radio "In rings" [checked]')
  await person.tabTo('textbox "Name"')
  await person.press('Control+a')
  await person.type('Viewer 24.2')
  await person.tabTo('textbox "Size"')
  await person.press('Control+a')
  await person.type('25')
  await person.tabTo('button "Add ring"')
  await person.press('Enter')
  await person.tabTo('button "Remove ring 3"', 'Shift+Tab')
  await person.press('Enter')
  await person.hears('dialog')
  await person.announces(/Reaches the 4 computers of .* in 3 rings/)
  const tree = await person.tree()
  await person.tabTo('textbox "Type the number of computers (4) to confirm"')
  await person.type('4')
  await person.tabTo('button "Deploy"')
  await person.press('Enter')

  await person.page.waitForURL(/\/rollouts\//)
  await person.hears('heading "Viewer 24.2"')
  await person.announces(/The rollout has started/)
  const { rings } = await read(new URL(person.page.url()).pathname.split('/').at(-1) ?? '')
  expect(rings).toHaveLength(3)
  expect(tree).toContain('- group "Ring 1"')
  expect(await person.faults()).toEqual([])
})

inBrowser('a patch is approved without a mouse, and its approval is announced', async () => {
  const product = await given.product({ name: 'Viewer' })
  const patch = await given.patch({ products: [product] })
  const person = await openAt(`/patches/${patch.id}`)

  await person.tabTo('button "Approve for Viewer"')
  await person.press('Enter')
  await eventually(person.tree).toMatch(/^- dialog "Approve this patch\?":/)
  await person.announces(/Releases it for Viewer/)
  const stops = await person.staysInDialog()
  await person.tabTo('button "Approve"')
  await person.press('Enter')

  await person.announces(/The patch is approved/)
  await person.hears('button "Revoke the approval for Viewer"')
  expect(stops).toEqual(expect.arrayContaining(['button "Close"', 'button "Cancel"', 'button "Approve"']))
  expect(await person.faults()).toEqual([])
})

inBrowser('a request that waits is approved without a mouse, and the focus stays in the page', async () => {
  const { group } = await fleet(fleetSize)
  await as('admin.manage').call(setBlastRadius, { body: { apiQuota: 1, consoleQuota: 500 } })
  const { id } = await given.localPrincipal({ roles: ['activation.execute'], description: 'Night script' })
  const script = withToken(await app.services.tokens.issue(id))
  const srl = { action: 'Shutdown', timeoutMinutes: 15, reminderMinutes: 5 } as const
  const refused = await script.call(activateGroup, { params: { id: group.id }, body: { software: true, srl } })
  expect(refused.problem).toBe('ApprovalRequired')
  const person = await openAt('/admin/approvals')

  await person.tabTo('button "Approve: ')
  await person.press('Enter')
  await eventually(person.tree).toMatch(/^- dialog "Approve/)
  expect(await person.tree()).toContain('affects 4 computers')
  const stops = await person.staysInDialog()
  await person.tabTo('button "Approve"')
  await person.press('Enter')

  await person.announces(/The request was carried out/)
  await person.page.getByRole('dialog').waitFor({ state: 'detached' })
  await person.hears('heading "Approvals"')
  expect(stops).toEqual(expect.arrayContaining(['button "Close"', 'button "Cancel"', 'button "Approve"']))
  expect(await person.faults()).toEqual([])
})

inBrowser('what fails is announced, and the focus moves to it', async () => {
  const product = await given.product({ name: 'Reader' })
  const patch = await given.patch({ products: [product] })
  const person = await openAt(`/patches/${patch.id}`)
  await person.page.route('**/approval?productId=*', (route, request) =>
    request.url().includes('dryRun') ? route.continue() : route.abort(),
  )

  await person.tabTo('button "Approve for Reader"')
  await person.press('Enter')
  await person.announces(/Releases it for Reader/)
  await person.tabTo('button "Approve"')
  await person.press('Enter')

  await person.announces(/The service cannot be reached/)
  expect(await person.tree()).toMatch(/- alert.*\n(.*\n)*.*The service cannot be reached/)
  expect(await person.page.evaluate(`document.activeElement.closest('[role=dialog]') !== null`)).toBe(true)
})
