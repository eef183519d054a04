import { expect } from 'vitest'
import { administrator, startServiceProcess } from '../../world/service-process.ts'
import { freePort } from './free-port.ts'
import { inBrowser, openBrowser, screenshot } from './open-browser.ts'
import { violations } from './violations.ts'

const port = await freePort()
const { newContext, openTab } = openBrowser(`http://127.0.0.1:${port}`)

inBrowser(
  'after a crash of the real service, a page that cannot be loaded keeps the frame, claims nothing about input, and opens later, still signed in',
  async () => {
    const env = { MUSTER_PORT: String(port) }
    const service = await startServiceProcess({ env })
    const { page, goTo } = await openTab(await newContext({}))
    await goTo('/admin/about')
    await page.getByLabel('Client ID').fill(administrator.clientId)
    await page.getByLabel('Client secret', { exact: true }).fill(administrator.clientSecret)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('The service and its database work as they should.').waitFor()

    await service.kill('SIGKILL')
    await page.getByRole('link', { name: 'Roles' }).click()
    await page.getByRole('heading', { name: 'Page could not be loaded' }).waitFor()
    const problem = page
      .getByRole('alert', { name: 'Request failed' })
      .filter({ hasText: 'The service cannot be reached.' })
    await problem.waitFor()
    await screenshot(page, 'page-not-loaded')
    expect(await violations(page)).toEqual([])
    expect(await page.getByText('input is still here').count()).toBe(0)
    await page.getByRole('link', { name: 'Principals' }).waitFor()
    const tryAgain = page.getByRole('button', { name: 'Try again' })
    await tryAgain.click()
    // It is disabled until the attempt has failed. One that still went on would load the page once the service is back.
    await tryAgain.and(page.locator(':enabled')).waitFor()
    await problem.waitFor()
    expect(page.url()).toMatch(/\/admin\/roles$/)

    await startServiceProcess({ env, dataDirectory: service.dataDirectory })
    await tryAgain.click()
    await page.getByRole('button', { name: /^admin\.manage/ }).waitFor()
  },
)
