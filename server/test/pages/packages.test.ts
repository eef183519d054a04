import { rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, expect } from 'vitest'
import { listPackageGroups } from '../../src/features/assignments/api/assigned-groups/list-package-groups.ts'
import { getPackagePage } from '../../src/features/fleet/api/get-package-page.ts'
import { listFleetPackages } from '../../src/features/fleet/api/list-fleet-packages.ts'
import { getPackage } from '../../src/features/packages/api/get-package.ts'
import { getPackageTags } from '../../src/features/packages/api/get-package-tags.ts'
import { setPackageTags } from '../../src/features/packages/api/set-package-tags.ts'
import { setReadyToInstall } from '../../src/features/packages/api/set-ready-to-install.ts'
import { createTag } from '../../src/features/tags/api/create-tag.ts'
import { manifestOf, withImports } from '../packages/package-world.ts'
import { eventually, inBrowser, screenshot } from '../web/in-browser/open-browser.ts'
import { openPages } from '../web/in-browser/open-pages.ts'
import { openTemporaryFolder } from '../world/temporary-folder.ts'
import { failingFleet } from './failing-fleet.ts'

const store = join(await openTemporaryFolder(), 'store')
afterAll(() => rm(dirname(store), { recursive: true }))
const world = await withImports({ ...(await openPages({ configuration: { packageStore: store } })), store })
const { as, db, given, visit, folder, imported } = world
const { group, editor, newer } = await failingFleet(world)
const reader = as('package.read', 'computer.read')

inBrowser('the list of packages shows the numbers of the API, and its filters are in the address', async () => {
  const { page, goTo } = await visit()
  await goTo('/packages')
  const { body } = await reader.call(listFleetPackages)

  for (const { name, version, deployments } of body.items) {
    const row = page.getByRole('row', { name: new RegExp(`${name} ${version}`) })
    await row.waitFor()
    const text = await row.textContent()
    for (const [result, word] of [
      ['success', 'succeeded'],
      ['failed', 'failed'],
      ['pending', 'pending'],
    ] as const)
      if (deployments[result] > 0) expect(text).toContain(`${deployments[result]} ${word}`)
  }
  await page.getByLabel('Search').fill('editor 2')
  await eventually(() => page.getByRole('row').count()).toBe(2)
  expect(page.url()).toContain('search=editor+2')
  await page.reload()
  await page.getByRole('row', { name: /Editor 2.0.*Released.*Not used yet/ }).waitFor()
})

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

inBrowser('of two people who change a package, the second sees what changed and loses nothing chosen', async () => {
  const shared = await given.package({ name: 'Shared', is_operational: true })
  const params = { id: shared.id }
  const writer = as('package.write', 'package.read')
  const givenTag = async (designation: string) => (await writer.call(createTag, { body: { designation } })).body.id
  const [office, kiosk] = [await givenTag('Office'), await givenTag('Kiosk')]
  await givenTag('Till')
  const tagNames = async () =>
    (await writer.call(getPackageTags, { params })).body.items.map(({ designation }) => designation).sort()
  await writer.call(setPackageTags, { params, body: { tagIds: [office] } })
  const { page, goTo } = await visit()
  await goTo(`/packages/${shared.id}`)

  await page.getByRole('button', { name: 'Actions' }).click()
  await page.getByRole('menuitem', { name: 'Edit tags' }).click()
  const tags = page.getByRole('dialog', { name: 'Tags of Shared' })
  await tags.getByRole('combobox', { name: 'Tags' }).click()
  await page.getByRole('option', { name: 'Till' }).click()
  await page.keyboard.press('Tab')
  await tags.getByText('The package will have 2 tags.').waitFor()
  await writer.call(setPackageTags, { params, body: { tagIds: [kiosk] } })
  await tags.getByRole('button', { name: 'Save' }).click()
  await tags.getByText('Tags: Office → Kiosk').waitFor()
  await tags.getByText('Nothing was done. Check it and confirm again.').waitFor()
  await screenshot(page, 'package-conflict')
  expect(await tagNames()).toEqual(['Kiosk'])
  await tags.getByRole('button', { name: 'Save' }).click()
  await page.getByText('The tags are saved.').waitFor()
  expect(await tagNames()).toEqual(['Kiosk', 'Till'])

  await page.getByRole('button', { name: 'Withdraw' }).click()
  const release = page.getByRole('dialog', { name: 'Withdraw Shared' })
  await release.getByText('Withdraws the package.').waitFor()
  await writer.call(setReadyToInstall, { params, body: { operational: false } })
  await release.getByRole('button', { name: 'Withdraw' }).click()
  await release.getByText('Release: Released → Not released').waitFor()
  // What the person has chosen does not turn into its opposite.
  await release.getByRole('button', { name: 'Withdraw' }).click()
  await page.getByText('The package is withdrawn.').waitFor()
  expect((await reader.call(getPackage, { params })).body.operational).toBe(false)
})

inBrowser('a package keeps its tags when one is added, also if they fill more than one page', async () => {
  const tagged = await given.package({ name: 'Tagged' })
  const { rows } = await sql<{ id: number }>`
    insert into tags (designation) select 'Site ' || to_char(at, 'FM000') from generate_series(1, 61) as at returning id`.execute(
    db,
  )
  const [last, ...tagIds] = rows.map(({ id }) => id).reverse()
  await as('package.write').call(setPackageTags, { params: { id: tagged.id }, body: { tagIds } })
  const { page, goTo } = await visit()
  await goTo(`/packages/${tagged.id}`)

  await page.getByRole('button', { name: 'Actions' }).click()
  await page.getByRole('menuitem', { name: 'Edit tags' }).click()
  const dialog = page.getByRole('dialog', { name: 'Tags of Tagged' })
  await dialog.getByRole('combobox', { name: 'Tags' }).fill('Site 061')
  await page.getByRole('option', { name: 'Site 061' }).click()
  await page.keyboard.press('Tab')
  await dialog.getByText('The package will have 61 tags.').waitFor()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByText('The tags are saved.').waitFor()

  const { body } = await reader.call(getPackageTags, { params: { id: tagged.id }, query: { top: 100 } })
  expect(body.items.map(({ id }) => id)).toEqual([...tagIds, last].toSorted((a, b) => Number(a) - Number(b)))
})

inBrowser('failures are grouped by cause with the output of one computer, and one cause is retried', async () => {
  const { page, goTo } = await visit()
  await goTo(`/packages/${editor.id}`)
  const { body: before } = await reader.call(getPackagePage, { params: { id: editor.id } })

  const status = page.getByRole('region', { name: 'On computers to which it is assigned' })
  await status.getByText(`${before.status.total} computers`).waitFor()
  await status.getByText(`${before.status.failed} failed`).waitFor()
  const cause = page.getByRole('button', { name: /no space left on device.*Exit code 1603/ })
  expect(await cause.textContent()).toContain('3')
  await cause.click()
  await page.getByText(`Output on ${before.failureCauses?.[0]?.exampleHostname}`).waitFor()
  await page.locator('pre', { hasText: 'no space left on device' }).waitFor()
  await page.getByRole('link', { name: 'till-2', exact: true }).waitFor()
  expect(await page.getByRole('link', { name: 'till-3' }).count()).toBe(0)
  expect(page.url()).toContain('cause=')
  await screenshot(page, 'package-failures')
  await page.getByRole('button', { name: 'Retry on 3 computers' }).click()
  const panel = page.getByRole('dialog', { name: 'Retry Editor' })
  await panel.getByText('Creates the failed work again on 3 computers').waitFor()
  await panel.getByRole('button', { name: 'Retry', exact: true }).click()

  await page.waitForURL(/\/tasks\//)
  const { body: after } = await reader.call(getPackagePage, { params: { id: editor.id } })
  expect(after.failureCauses).toMatchObject([{ count: 1, cause: 'setup: access denied' }])
  expect(after.status).toMatchObject({ failed: 1, pending: 3 })
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
