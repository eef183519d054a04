import { afterAll, expect } from 'vitest'
import { denyRequest } from '../../../src/features/blast-radius/api/deny-request.ts'
import { getBlastRadius } from '../../../src/features/blast-radius/api/get-blast-radius.ts'
import { getFreeze } from '../../../src/features/blast-radius/api/get-freeze.ts'
import { listApprovals } from '../../../src/features/blast-radius/api/list-approvals.ts'
import { setBlastRadius } from '../../../src/features/blast-radius/api/set-blast-radius.ts'
import { deleteGroup } from '../../../src/features/groups/api/delete-group.ts'
import { getGroup } from '../../../src/features/groups/api/get-group.ts'
import { sequenceAll } from '../../events/read-log.ts'
import { inBrowser, screenshot } from './open-browser.ts'
import { openPages } from './open-pages.ts'
import { violations } from './violations.ts'

const { as, db, given, visit } = await openPages()

const setQuota = (apiQuota: number | null) =>
  as('admin.manage').call(setBlastRadius, { body: { apiQuota, consoleQuota: 500 } })
afterAll(() => setQuota(null))

async function pendingDeletion(computerCount: number) {
  const group = await given.group()
  for (let count = 0; count < computerCount; count++) await given.member(group, await given.computer())
  await setQuota(0)
  await as('group.write').call(deleteGroup, { params: { id: group.id }, query: { force: true } })
  return group
}

inBrowser(
  'a request above the quota is approved with its count and content in view, and another one is denied',
  async () => {
    const [deleted, kept] = [await pendingDeletion(3), await pendingDeletion(2)]
    const { page, goTo } = await visit()
    const { items } = (await as('admin.manage').call(listApprovals, { query: { state: 'Pending' } })).body
    const firstName = items.find(({ targetName }) => targetName === deleted.path)?.firstComputers[0]?.name ?? '?'
    await goTo('/admin/approvals')

    await page.getByRole('row', { name: new RegExp(`Delete a group.*${deleted.id}.*3.*Waiting`) }).waitFor()
    await screenshot(page, 'approvals')
    expect(await violations(page)).toEqual([])
    await page.getByRole('button', { name: `Approve: Delete a group, ${deleted.path}` }).click()
    const dialog = page.getByRole('dialog', { name: 'Approve “Delete a group”?' })
    await dialog.getByText('affects 3 computers').waitFor()
    await dialog.getByText(deleted.path).waitFor()
    await dialog.getByText(firstName).waitFor()
    await dialog.getByText(`/api/group/${deleted.id}`).waitFor()
    await screenshot(page, 'approve-request')
    expect(await violations(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Approve' }).click()
    await page.getByRole('row', { name: new RegExp(`${deleted.id}.*Carried out`) }).waitFor()
    await page.getByRole('button', { name: `Deny: Delete a group, ${kept.path}` }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Deny' }).click()
    await page.getByRole('row', { name: new RegExp(`${kept.id}.*Denied`) }).waitFor()

    const statusOf = async ({ id }: { id: string }) =>
      (await as('group.read').call(getGroup, { params: { id } })).status
    expect([await statusOf(deleted), await statusOf(kept)]).toEqual([404, 200])
  },
)

inBrowser('a badge in the navigation counts the requests that wait, and follows them without a reload', async () => {
  const denyAll = async () => {
    const { items } = (await as('admin.manage').call(listApprovals, { query: { state: 'Pending' } })).body
    for (const { approvalId: id } of items) await as('admin.manage').call(denyRequest, { params: { id } })
    await sequenceAll(db)
  }
  await denyAll()
  const { page, goTo } = await visit()
  await goTo('/admin/about')
  const link = (name: string) => page.getByRole('navigation').getByRole('link', { name, exact: true })
  await link('Approvals').waitFor()

  await pendingDeletion(1)
  await sequenceAll(db)
  await link('Approvals 1 waiting').waitFor()
  await pendingDeletion(25)
  await sequenceAll(db)
  await link('Approvals 2 waiting').waitFor()
  await screenshot(page, 'approvals-badge')
  expect(await violations(page)).toEqual([])
  await goTo('/admin/approvals')
  await page.getByText('and 22 more').first().waitFor()
  await screenshot(page, 'approvals-with-names')
  await denyAll()
  await link('Approvals').waitFor()
})

inBrowser('a person who cannot approve sees no badge', async () => {
  await pendingDeletion(1)
  const { page, goTo } = await visit({ roles: ['computer.read'], isAlone: true })
  await goTo('/computers')
  await page.getByRole('navigation').getByRole('link', { name: 'Computers' }).waitFor()

  expect(await page.getByText('waiting').count()).toBe(0)
})

inBrowser('a freeze is started with a reason, shown above every page, and ended', async () => {
  const { page, goTo } = await visit()
  const readFreeze = async () => (await as('scan.execute').call(getFreeze)).body
  await goTo('/admin/safety')

  await page.getByLabel('Reason').fill('Wrong package on the tills')
  await page.getByRole('button', { name: 'Freeze', exact: true }).click()
  await page.getByText('No new work is handed out').waitFor()
  await screenshot(page, 'safety-frozen')
  const frozen = await readFreeze()
  await goTo('/admin/principals')
  await page.getByText('Wrong package on the tills').waitFor()
  expect(await violations(page)).toEqual([])
  await page.getByRole('link', { name: 'Open safety limits' }).click()
  await page.getByRole('button', { name: 'End freeze' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'End freeze' }).click()
  await page.getByText('Work is handed out as usual.').waitFor()

  expect(frozen).toMatchObject({ frozen: true, reason: 'Wrong package on the tills' })
  expect((await readFreeze()).frozen).toBe(false)
  expect(await page.getByText('No new work is handed out').count()).toBe(0)
})

inBrowser('the quotas are changed, and an empty field means no limit', async () => {
  const { page, goTo } = await visit({ locale: 'de-DE', isAlone: true })
  await goTo('/admin/safety')

  await page.getByLabel('Programme mit Zugriffstoken').fill('1200')
  await page.getByLabel('Personen in dieser Konsole').fill('')
  await screenshot(page, 'safety-german')
  expect(await violations(page)).toEqual([])
  await page.getByRole('button', { name: 'Kontingente speichern' }).click()
  await page.getByText('Gespeichert').waitFor()

  expect((await as('admin.manage').call(getBlastRadius)).body).toEqual({ apiQuota: 1200, consoleQuota: null })
})
