import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { CheckResult, HealthReport } from '../../../src/platform/health/health.ts'
import { eventually, inBrowser, screenshot, widthOf } from './open-browser.ts'
import { openPages } from './open-pages.ts'
import { lowContrasts } from './violations.ts'

const { app, visit } = await openPages()

const result = (name: string, status: CheckResult['status'], code: string | null, detail: string | null) => ({
  name,
  status,
  code,
  detail,
  sinceUtc: new Date(),
})
const reads = result('reads', 'passed', null, null)
const disk = result('disk', 'warning', 'DiskLow', 'A disk of the service has little room left.')
const jobs = result('jobs', 'failed', 'JobsNotRunning', 'Background jobs do not run.')
const newer = result('moon', 'failed', 'MoonMissing', 'The moon has not risen.')

function report(current: HealthReport): void {
  Object.assign(app.services.health, { report: () => current })
}

const unavailable: HealthReport = { status: 'unavailable', checks: [reads, disk, jobs, newer] }

const banner = (page: Page) => page.getByRole('main').getByRole('status').first()
const phone = { width: 360, height: 740 }

inBrowser('what does not work is listed in both languages and colours, and fits on a phone', async () => {
  report(unavailable)
  const { page, goTo } = await visit({ locale: 'de-DE', colorScheme: 'dark' })
  await goTo('/admin/roles')
  await banner(page).getByText('Der Dienst ist gestört.').waitFor()
  await banner(page).getByText('Hintergrundaufträge wie Importe laufen nicht.').waitFor()
  // A newer service may find what these pages have no text for.
  await banner(page).getByText('The moon has not risen.').waitFor()
  const inDark = await lowContrasts(page)
  await screenshot(page, 'health-unavailable-dark-german')
  await page.setViewportSize(phone)
  await screenshot(page, 'health-unavailable-phone')
  await goTo('/admin/about')
  await page.getByText('Hintergrundaufträge wie Importe laufen nicht.').waitFor()

  expect(inDark).toEqual([])
  await eventually(() => widthOf(page)).toBeLessThanOrEqual(phone.width)
})
