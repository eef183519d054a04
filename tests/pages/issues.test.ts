import { expect } from 'vitest'
import { getIssuePage } from '../../server/src/features/fleet/api/get-issue-page.ts'
import { getFleetStatistics } from '../../server/src/features/issues/api/get-fleet-statistics.ts'
import { refreshFleetStatistics } from '../../server/src/features/issues/fleet-statistics.ts'
import { eventually, inBrowser, screenshot } from '../../server/test/web/in-browser/open-browser.ts'
import { openPages } from '../../server/test/web/in-browser/open-pages.ts'
import { violations } from '../../server/test/web/in-browser/violations.ts'
import { failingFleet } from './failing-fleet.ts'

const pages = await openPages()
const { as, db, visit } = pages
const { computers, editor } = await failingFleet(pages)
for (const [at, { id }] of computers.entries())
  await db
    .insertInto('disk_drives')
    .values({
      computer_id: id,
      position: 0,
      volume: at < 3 ? '/var' : '/home',
      drive_type_code: 3,
      total_space_gb: 100,
      free_space_gb: 2,
      bitlocker_status: 'Encrypted',
    })
    .execute()
await refreshFleetStatistics(db)
const reader = as('computer.read')

inBrowser(
  'the overview of issues shows the counts of the API with their age, and the failures that are shared',
  async () => {
    const { page, goTo } = await visit()
    const requests: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('/api/')) requests.push(request.url())
    })
    await goTo('/issues')
    const { body } = await reader.call(getFleetStatistics)

    await page.getByRole('row', { name: /Low disk space/ }).waitFor()
    for (const { count } of body.counts?.issues ?? [])
      await page
        .getByRole('row')
        .getByRole('link', { name: String(count), exact: true })
        .first()
        .waitFor()
    expect(body.counts?.issues).toContainEqual({ issue: 'low-disk', count: 5 })
    await page.getByText(/^as of/i).waitFor()
    await page.getByRole('button', { name: /no space left on device.*Editor 1.0/ }).waitFor()
    expect(requests.length).toBeLessThanOrEqual(5)
  },
)

inBrowser('an issue leads to what its computers have in common, and from there to the computers', async () => {
  const { page, goTo } = await visit()
  await goTo('/issues')
  await page.getByRole('link', { name: 'Low disk space' }).click()

  await page.getByText('5 computers now').waitFor()
  await page.getByRole('heading', { name: 'All 5 computers' }).waitFor()
  expect(await violations(page)).toEqual([])
  await page.getByRole('button', { name: 'Show computers: /home' }).click()
  await page.getByRole('heading', { name: 'Computers with /home' }).waitFor()
  await page.getByRole('row', { name: /till-3.*\/home 2.0 GB free/ }).waitFor()
  await eventually(() => page.getByRole('link', { name: /^till-/ }).count()).toBe(2)
  expect(page.url()).toContain('cause=%2Fhome')
  await page.reload()
  await page.getByRole('heading', { name: 'Computers with /home' }).waitFor()
  expect(await page.getByRole('link', { name: 'Open in computers' }).getAttribute('href')).toBe(
    '/computers?issue=low-disk',
  )
})

inBrowser('a failed deployment leads to its causes, and a cause is retried with one request', async () => {
  const { page, goTo } = await visit()
  await goTo('/issues/failed-deployment')
  await page.getByText('4 computers now').waitFor()
  await page.getByRole('button', { name: /access denied.*Exit code 1603.*Editor 1.0/ }).click()

  await page.locator('pre', { hasText: 'setup: access denied' }).waitFor()
  await page.getByRole('link', { name: 'till-3', exact: true }).waitFor()
  await screenshot(page, 'issue-failures')
  await page.getByRole('button', { name: 'Retry on 1 computer' }).click()
  const panel = page.getByRole('dialog', { name: 'Retry Editor' })
  await panel.getByText('on 1 computer').waitFor()
  await panel.getByRole('button', { name: 'Retry', exact: true }).click()
  await page.waitForURL(/\/tasks\//)

  const { body } = await reader.call(getIssuePage, { params: { issue: 'failed-deployment' } })
  expect(body.failures).toMatchObject([{ packageId: editor.id, count: 3 }])
})
