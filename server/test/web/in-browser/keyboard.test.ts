import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { listLocalPrincipals } from '../../../src/features/principals/api/list-local-principals.ts'
import { inBrowser } from './open-browser.ts'
import { openPages } from './open-pages.ts'

const { as, given, openSignedOut } = await openPages()

const administrator = await given.localPrincipal({ roles: ['admin.manage'], description: 'Ada' })

const focusedName = `(({ ariaLabel, labels, textContent }) => ariaLabel ?? labels?.[0]?.textContent ?? textContent)(
  document.activeElement)`

/** Presses Tab until the focus is on what has this name. The label of a required field ends with a star. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let presses = 0; presses < 60; presses++) {
    await page.keyboard.press('Tab')
    if ((await page.evaluate<string>(focusedName)).replace(/\*$/, '').trim() === name) return
  }
  throw new Error(`The focus never came to ${name}`)
}

inBrowser('a principal is created and revoked with the keyboard alone', async () => {
  const { page, goTo } = await openSignedOut()
  await goTo('/admin/')
  await page.getByLabel('Client ID').and(page.locator(':focus')).waitFor()
  await page.keyboard.type(administrator.clientId)
  await tabTo(page, 'Client secret')
  await page.keyboard.type(administrator.secret)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Principals' }).and(page.locator(':focus')).waitFor()

  await tabTo(page, 'Add principal')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Add principal' }).and(page.locator(':focus')).waitFor()
  await page.getByLabel('computer.read').waitFor()
  await tabTo(page, 'Description')
  await page.keyboard.type('By keyboard')
  await tabTo(page, 'computer.read')
  await page.keyboard.press('Space')
  await tabTo(page, 'Create')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Store this secret now' }).locator(':focus').waitFor()
  await tabTo(page, 'I have stored the secret')
  await page.keyboard.press('Space')
  await tabTo(page, 'Continue')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'By keyboard' }).and(page.locator(':focus')).waitFor()
  await tabTo(page, 'Revoke')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Revoke By keyboard?' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Revoke' }).and(page.locator(':focus')).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').locator(':focus').waitFor()
  await tabTo(page, 'Revoke')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Restore' }).waitFor()

  const { body } = await as('admin.manage').call(listLocalPrincipals)
  expect(body.find(({ description }) => description === 'By keyboard')).toMatchObject({
    isRevoked: true,
    roles: ['computer.read'],
  })
})

inBrowser('the first tab stop skips the navigation', async () => {
  const { page, context, goTo } = await openSignedOut()
  const data = { clientId: administrator.clientId, clientSecret: administrator.secret }
  await context.request.post('/admin/session', { data })
  await goTo('/admin/about')
  await page.getByRole('heading', { name: 'About' }).waitFor()

  await page.keyboard.press('Tab')
  await page.getByRole('link', { name: 'Skip to content' }).and(page.locator(':focus')).waitFor()
  await page.keyboard.press('Enter')

  await page.getByRole('main').and(page.locator(':focus')).waitFor()
  expect(await page.title()).toBe('About · Muster')
})
