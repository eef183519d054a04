import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { beginSync } from '../../server/src/channels/depot/begin-sync.ts'
import { endSync } from '../../server/src/channels/depot/end-sync.ts'
import { reportHeartbeat } from '../../server/src/channels/depot/report-heartbeat.ts'
import { createDepotCredential } from '../../server/src/features/depots/api/create-depot-credential.ts'
import { listDepots } from '../../server/src/features/depots/api/list-depots.ts'
import { sequenceAll } from '../../server/test/events/read-log.ts'
import { inBrowser } from '../../server/test/web/in-browser/open-browser.ts'
import { openPages } from '../../server/test/web/in-browser/open-pages.ts'
import { violations } from '../../server/test/web/in-browser/violations.ts'

const { as, db, given, visit, withToken } = await openPages()

const depot = await given.computer({ name: 'depot-ber-01', domain: 'example.org', role: 'DepotServer' })
await given.computer({ name: 'depot-bos-01', domain: 'example.org', role: 'DepotServer' })
const { credential } = (await as('admin.manage').call(createDepotCredential, { params: { clientId: depot.id } })).body
const itself = withToken(credential)
await itself.call(reportHeartbeat, { body: { version: '0.1.0', nextSyncUtc: '2099-01-01T00:00:00Z' } })
await given.osImage({ name: 'Windows 11 24H2' })
await given.pxeBootImage({ name: 'Muster boot' })
await db.insertInto('tags').values({ designation: 'Europe' }).execute()

const readDepot = async () =>
  (await as('computer.read').call(listDepots)).body.items.find(({ clientId }) => clientId === depot.id)

const rowOf = (page: Page, name: string) => page.getByRole('row', { name: new RegExp(name) })

inBrowser('a depot is synchronised after a review, and its result appears without a reload', async () => {
  const { page, goTo } = await visit()
  await goTo('/infrastructure')
  await rowOf(page, 'depot-ber-01.example.org.*Online.*Never.*Issued').waitFor()
  await rowOf(page, 'depot-bos-01.example.org.*Not set up.*None').waitFor()

  await page.getByRole('button', { name: 'Synchronise: depot-ber-01.example.org' }).click()
  const panel = page.getByRole('dialog', { name: 'Synchronise depot-ber-01.example.org' })
  await panel.getByText('Synchronises 1 depot at the next heartbeat').waitFor()
  expect(await violations(page)).toEqual([])
  expect((await readDepot())?.isSyncWaiting).toBe(false)
  await panel.getByRole('button', { name: 'Synchronise' }).click()
  await rowOf(page, 'depot-ber-01.*Waiting.*By a person').waitFor()
  expect((await readDepot())?.isSyncWaiting).toBe(true)
  const { jobId } = (await itself.call(beginSync)).body
  const result = { packages: 3, filesTransferred: 2, bytesTransferred: 1_500_000 }
  await itself.call(endSync, {
    params: { id: jobId },
    body: { status: 'Success', message: '3 packages are up to date.', ...result },
  })
  await sequenceAll(db)

  await rowOf(page, 'depot-ber-01.*Succeeded.*2 files, 1.5 MB.*3 packages are up to date').waitFor()
})

inBrowser('tags of a depot are added and removed, and its credential is replaced and revoked', async () => {
  const { page, goTo } = await visit()
  await goTo('/infrastructure/depots')
  const open = async (item: string) => {
    await page.getByRole('button', { name: 'More actions: depot-ber-01.example.org' }).click()
    await page.getByRole('menuitem', { name: item }).click()
  }

  await open('Edit tags')
  const dialog = page.getByRole('dialog', { name: 'Tags of depot-ber-01.example.org' })
  await dialog.getByLabel('Add a tag').click()
  await page.getByRole('option', { name: 'Europe' }).click()
  await dialog.getByRole('button', { name: 'Remove Europe' }).waitFor()
  expect((await readDepot())?.tags).toMatchObject([{ designation: 'Europe' }])
  expect(await violations(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Remove Europe' }).click()
  await dialog.getByText('No tags').waitFor()
  await page.keyboard.press('Escape')
  await open('Create credential')
  await page.getByRole('dialog').getByRole('button', { name: 'Create credential' }).click()
  const shown = page.getByRole('dialog', { name: 'Store this credential now' })
  const command = await shown.getByText('npm run depot').textContent()
  const [, replaced = ''] = /MUSTER_DEPOT_CREDENTIAL=(\S+)/.exec(command ?? '') ?? []
  const beat = (token: string) =>
    withToken(token).call(reportHeartbeat, { body: { version: '0.1.0', nextSyncUtc: '2099-01-01T00:00:00Z' } })
  expect([(await beat(credential)).status, (await beat(replaced)).status]).toEqual([401, 200])
  await shown.getByLabel('I have stored the credential').check()
  await shown.getByRole('button', { name: 'Continue' }).click()
  await open('Revoke credential')
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke credential' }).click()

  await rowOf(page, 'depot-ber-01.example.org.*None').waitFor()
  expect((await beat(replaced)).status).toBe(401)
})
