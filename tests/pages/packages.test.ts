import { rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterAll, expect } from 'vitest'
import { listPackageGroups } from '../../server/src/features/assignments/api/assigned-groups/list-package-groups.ts'
import { getPackage } from '../../server/src/features/packages/api/get-package.ts'
import { manifestOf, withImports } from '../../server/test/packages/package-world.ts'
import { eventually, inBrowser, screenshot } from '../../server/test/web/in-browser/open-browser.ts'
import { openPages } from '../../server/test/web/in-browser/open-pages.ts'
import { openTemporaryFolder } from '../../server/test/world/temporary-folder.ts'
import { failingFleet } from './failing-fleet.ts'

const store = join(await openTemporaryFolder(), 'store')
afterAll(() => rm(dirname(store), { recursive: true }))
const world = await withImports({ ...(await openPages({ configuration: { packageStore: store } })), store })
const { as, visit, folder, imported } = world
const { group, editor, newer } = await failingFleet(world)
const reader = as('package.read', 'computer.read')

inBrowser('an import that fails keeps what was typed, and the corrected folder is imported with its log', async () => {
  await folder('apps/viewer', { 'install.sh': 'true' })
  const { page, goTo } = await visit()
  await goTo('/packages')
  await page.getByRole('button', { name: 'Import package' }).click()
  const panel = page.getByRole('dialog', { name: 'Import package' })
  await panel.getByLabel('Folder in the package store').fill('apps/viewer')
  await panel.getByText(/Copies and checks apps\/viewer/).waitFor()
  await screenshot(page, 'package-import')
  await panel.getByRole('button', { name: 'Import', exact: true }).click()

  await page
    .getByRole('alert')
    .getByText(/muster-package.json/)
    .waitFor()
  await screenshot(page, 'package-import-failed')
  await folder('apps/viewer', { 'muster-package.json': manifestOf({ name: 'viewer', displayName: 'Viewer' }) })
  await page.getByRole('button', { name: 'Import again' }).click()
  expect(await panel.getByLabel('Folder in the package store').inputValue()).toBe('apps/viewer')
  await panel.getByRole('button', { name: 'Import', exact: true }).click()
  const section = page.getByRole('region', { name: 'Import' })
  await section.getByText('Imported with 2 files.').waitFor()
  const log = await section.getByRole('list', { name: 'Log' }).textContent()
  expect(log).toMatch(/Found 2 files.*The manifest describes viewer 1\.0\..*Copied and hashed 2 files/)
  await page.getByRole('row', { name: /Viewer 1.0.*Not released/ }).waitFor()
  await section.getByRole('link', { name: 'Open package' }).click()
  await page.getByRole('heading', { name: 'Viewer 1.0' }).waitFor()
})

inBrowser('a package is released as it was seen, and withdrawn again by undoing it', async () => {
  await folder('apps/reader', { 'muster-package.json': manifestOf({ name: 'reader', displayName: 'Reader' }) })
  const { packageId } = await imported('apps/reader')
  const isReleased = async () => (await reader.call(getPackage, { params: { id: packageId ?? '' } })).body.operational
  const { page, goTo } = await visit()
  await goTo(`/packages/${packageId}`)

  await page.getByRole('button', { name: 'Release', exact: true }).click()
  const panel = page.getByRole('dialog', { name: 'Release Reader' })
  await panel.getByText(/You have seen the content [0-9a-f]{16}/).waitFor()
  // Somebody imports other content meanwhile: what was not seen is not released.
  await folder('apps/reader', { 'new.txt': 'new' })
  await imported('apps/reader', true)
  await panel.getByRole('button', { name: 'Release', exact: true }).click()
  await panel.getByText(/Someone else has changed this since you looked/).waitFor()
  await panel.getByText(/Content: [0-9a-f]{16} → [0-9a-f]{16}/).waitFor()
  expect(await isReleased()).toBe(false)
  await panel.getByRole('button', { name: 'Release', exact: true }).click()
  await page.getByText('The package is released.').waitFor()
  await eventually(isReleased).toBe(true)
  await page.getByRole('alert').getByRole('button', { name: 'Withdraw' }).click()
  await page.getByText('The package is withdrawn.').waitFor()
  expect(await isReleased()).toBe(false)
})

inBrowser('a package is replaced in its groups after the review has shown what becomes of each', async () => {
  const { page, goTo } = await visit()
  await goTo(`/packages/${editor.id}`)
  await page.getByRole('link', { name: '2.0' }).waitFor()
  await page.getByRole('button', { name: 'Actions' }).click()
  await page.getByRole('menuitem', { name: 'Replace in groups' }).click()
  const panel = page.getByRole('dialog', { name: /Replace Editor 1.0/ })
  await panel.getByLabel('New package').click()
  await page.getByRole('option', { name: /Editor 2.0/ }).click()

  await panel.getByText('Replaces the package in 1 group with 5 computers.').waitFor()
  await panel.getByRole('row', { name: /Berlin.*Replaced/ }).waitFor()
  await screenshot(page, 'package-replacement')
  await panel.getByRole('button', { name: 'Replace in groups' }).click()
  await page.getByRole('heading', { name: 'Editor 2.0' }).waitFor()
  await page.getByRole('link', { name: /Berlin/ }).waitFor()
  const { body } = await reader.call(listPackageGroups, { params: { id: newer.id } })
  expect(body.items).toMatchObject([{ id: group.id }])
})
