import { expect } from 'vitest'
import { inBrowser, screenshot } from './open-browser.ts'
import { openPages } from './open-pages.ts'
import { violations } from './violations.ts'

const { as, given, visit } = await openPages()

inBrowser('a page that cannot be loaded keeps the frame, claims nothing about input, and opens later', async () => {
  const { page, context, goTo } = await visit({ isAlone: true })
  await goTo('/admin/about')
  await page.getByRole('heading', { name: 'About' }).waitFor()
  await context.route('**/*', (route) => route.abort('connectionrefused'))

  await page.getByRole('link', { name: 'Roles' }).click()
  await page.getByRole('heading', { name: 'Page could not be loaded' }).waitFor()
  const problem = page.getByRole('alert').filter({ hasText: 'The service cannot be reached.' })
  await problem.waitFor()
  await screenshot(page, 'page-not-loaded')
  expect(await violations(page)).toEqual([])
  expect(await page.getByText('input is still here').count()).toBe(0)
  await page.getByRole('link', { name: 'Principals' }).waitFor()
  await page.getByRole('button', { name: 'Try again' }).click()
  await problem.waitFor()
  expect(page.url()).toMatch(/\/admin\/roles$/)
  await context.unroute('**/*')
  await page.getByRole('button', { name: 'Try again' }).click()

  await page.getByRole('button', { name: /^admin\.manage/ }).waitFor()
})
