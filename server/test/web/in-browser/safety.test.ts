import { afterAll, expect } from 'vitest'
import { listApprovals } from '../../../src/features/blast-radius/api/list-approvals.ts'
import { setBlastRadius } from '../../../src/features/blast-radius/api/set-blast-radius.ts'
import { deleteGroup } from '../../../src/features/groups/api/delete-group.ts'
import { getGroup } from '../../../src/features/groups/api/get-group.ts'
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
