import { expect } from 'vitest'
import { getLocalPrincipal } from '../../../src/features/principals/api/get-local-principal.ts'
import { inBrowser, screenshot } from './open-browser.ts'
import { openPages } from './open-pages.ts'
import { violations } from './violations.ts'

const { as, given, visit } = await openPages()

inBrowser('without a network, saving says so in words, and nothing typed is lost', async () => {
  const principal = await given.localPrincipal({ description: 'Before' })
  const { page, context, goTo } = await visit({ isAlone: true })
  await goTo(`/admin/principals/local/${principal.id}`)
  await page.getByLabel('Description').fill('Typed on the train')
  await context.setOffline(true)
  await page.getByRole('status').getByText('You are offline. Changes can be saved').waitFor()

  await page.getByRole('button', { name: 'Save' }).click()
  const problem = page.getByRole('alert').filter({ hasText: 'You are offline. Your input is still here: try again.' })
  await problem.waitFor()
  await screenshot(page, 'offline-save')
  expect(await violations(page)).toEqual([])
  expect(await page.getByLabel('Description').inputValue()).toBe('Typed on the train')
  await context.setOffline(false)
  await page.getByText('You are offline. Changes can be saved').waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: 'Save' }).click()

  await page.getByRole('heading', { name: 'Typed on the train' }).waitFor()
  const { body } = await as('admin.manage').call(getLocalPrincipal, { params: { id: principal.id } })
  expect(body.description).toBe('Typed on the train')
})

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
