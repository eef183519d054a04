import { expect } from 'vitest'
import { requestToken } from '../../../src/features/principals/api/token/request-token.ts'
import { inBrowser, screenshot } from './open-browser.ts'
import { openPages } from './open-pages.ts'

const { address, as, given, visit } = await openPages()

await given.localPrincipal({ description: 'Inventory report', roles: ['computer.read'] })
await given.localPrincipal({ description: 'Old migration', expiresAt: new Date('2025-01-01') })
await given.localPrincipal({ description: 'Way in', roles: ['admin.manage'], isProtected: true })
await given.identityPrincipal({ displayName: 'Ada Lovelace', subjectId: 'ada', roles: ['pm.read'] })
await given.identityPrincipal({ displayName: 'Scanner', subjectType: 'client', subjectId: 'scanner' })

inBrowser('a local principal is created with the chosen roles, and its secret is shown once and works', async () => {
  const { page, context, goTo } = await visit()
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await goTo('/admin/principals')
  await page.getByRole('link', { name: 'Add principal' }).click()
  await page.getByLabel('Description').fill('Nightly job')
  await page.getByLabel('computer.read').check()
  await page.getByText('Reboot computers.').waitFor()
  const suggested = Date.parse(await page.getByLabel('Expires').inputValue())
  expect(Math.abs(suggested - Date.now() - 365 * 86_400_000)).toBeLessThan(2 * 86_400_000)
  await screenshot(page, 'new-principal')
  await page.getByRole('button', { name: '30 days' }).click()

  await page.getByRole('button', { name: 'Create' }).click()
  const dialog = page.getByRole('dialog', { name: 'Store this secret now' })
  await dialog.getByText('It is shown only once').waitFor()
  await screenshot(page, 'secret-shown-once')
  await page.keyboard.press('Escape')
  expect(await dialog.getByRole('button', { name: 'Continue' }).isDisabled()).toBe(true)
  await dialog.getByRole('button', { name: 'Copy: Client secret' }).click()
  await dialog.getByRole('button', { name: 'Copied: Client secret' }).waitFor()
  const client_secret = await page.evaluate<string>('navigator.clipboard.readText()')
  const client_id = await dialog.getByLabel('Client ID', { exact: true }).inputValue()
  await dialog.getByLabel('I have stored the secret').check()
  await dialog.getByRole('button', { name: 'Continue' }).click()

  await page.getByRole('heading', { name: 'Nightly job' }).waitFor()
  expect(await page.content()).not.toContain(client_secret)
  const token = await fetch(`${address}${requestToken.path}`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret }),
  })
  expect(token.status).toBe(200)
})
