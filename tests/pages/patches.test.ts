import { expect } from 'vitest'
import { refreshFleetStatistics } from '../../server/src/features/issues/fleet-statistics.ts'
import { getEmergencyPatching } from '../../server/src/features/patch-management/api/pm-groups/get-emergency-patching.ts'
import { listPatchProducts } from '../../server/src/features/patches/api/list-patch-products.ts'
import { openPatchWorld } from '../../server/test/patch-management/patch-world.ts'
import { eventually, inBrowser, screenshot } from '../../server/test/web/in-browser/open-browser.ts'
import { servePages } from '../../server/test/web/in-browser/open-pages.ts'
import { violations } from '../../server/test/web/in-browser/violations.ts'

const world = await openPatchWorld({ signInRateLimit: 0 })
const { visit } = await servePages(world)
const { as, db, fleet, given, scannablePatch } = world

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)

const openssl = await scannablePatch({
  name: 'openssl 3.0.16',
  vendor_severity: 'Critical',
  release_date: daysAgo(60),
  cves: ['CVE-2026-1234'],
})
const kernel = await scannablePatch({ name: 'kernel 6.1.99', vendor_severity: 'Important', release_date: daysAgo(3) })
const { group, computers } = await fleet({ computers: 6 })
for (const [index, computer] of computers.slice(0, 5).entries())
  await given.patchScan(computer, [index < 3 ? openssl.missing : openssl.installed, kernel.missing])
const pmGroup = await given.pmGroup({
  name: 'Servers, critical',
  patches: [{ id: openssl.id, productId: openssl.product.id }],
})
await given.pmAssignment(pmGroup, group)
await refreshFleetStatistics(db)

inBrowser(
  'a patch is approved for one product version with its count in view, and the approval is undone',
  async () => {
    const isApproved = async () => {
      const { items } = (await as('pm.read').call(listPatchProducts, { params: { patchId: openssl.id } })).body
      return items.map((product) => product.isApproved)
    }
    const { page, goTo } = await visit()
    await goTo(`/patches/${openssl.id}`)

    await page.getByText('3 computers', { exact: true }).first().waitFor()
    await eventually(() => page.getByRole('table', { name: 'Computers' }).getByRole('row').count()).toBe(4)
    await screenshot(page, 'patch')
    await page.getByRole('button', { name: `Approve for ${openssl.product.name}` }).click()
    await page.getByText('3 computers lack it').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click()
    await page.getByRole('button', { name: `Revoke the approval for ${openssl.product.name}` }).waitFor()
    const approved = await isApproved()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('button', { name: `Approve for ${openssl.product.name}` }).waitFor()

    expect(approved).toEqual([true])
    expect(await isApproved()).toEqual([false])
  },
)

inBrowser('emergency patching starts only with the typed count, and is stopped', async () => {
  const { page, goTo } = await visit()
  await goTo(`/patch-groups/${pmGroup.id}`)

  await page.getByRole('button', { name: 'Start emergency patching' }).click()
  const dialog = page.getByRole('dialog', { name: 'Start emergency patching?' })
  await dialog.getByText('3 of 3 chosen').waitFor()
  await dialog.getByText('Patches 3 computers at the next contact').waitFor()
  const start = dialog.getByRole('button', { name: 'Start emergency patching' })
  const withoutCount = await start.isDisabled()
  await dialog.getByLabel('Type the number of computers (3) to confirm').fill('2')
  const withWrongCount = await start.isDisabled()
  await dialog.getByLabel('Type the number of computers (3) to confirm').fill('3')
  await screenshot(page, 'emergency-patching')
  expect(await violations(page)).toEqual([])
  await start.click()
  await page.getByText(/^Runs on 3 computers since/).waitFor()
  const read = () => as('pm.read').call(getEmergencyPatching, { params: { id: pmGroup.id } })
  const running = await read()
  await page.getByRole('button', { name: 'Stop emergency patching' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Stop emergency patching' }).click()
  await page.getByText('Not running.').waitFor()

  expect([withoutCount, withWrongCount]).toEqual([true, true])
  expect(running.body.devices.items.map(({ clientId }) => clientId)).toEqual(computers.slice(0, 3).map(({ id }) => id))
  expect((await read()).status).toBe(404)
})
