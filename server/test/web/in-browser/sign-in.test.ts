import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'
import { getLocalPrincipal } from '../../../src/features/principals/api/get-local-principal.ts'
import { listLocalPrincipals } from '../../../src/features/principals/api/list-local-principals.ts'
import { requestToken } from '../../../src/features/principals/api/token/request-token.ts'
import { updateLocalPrincipal } from '../../../src/features/principals/api/update-local-principal.ts'
import { insertSignInLink } from '../../../src/features/principals/sign-in-links.ts'
import { roleNames } from '../../../src/platform/roles.ts'
import { inBrowser, screenshot } from './open-browser.ts'
import { openPages } from './open-pages.ts'
import { lowContrastsInAllColours, violations } from './violations.ts'

const { address, app, as, db, given, openSignedOut, visit } = await openPages()

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

inBrowser(
  'with the keyboard alone, somebody signs in after a mistake, creates a principal whose secret works, and revokes it',
  async () => {
    const { page, context, goTo } = await openSignedOut()
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await goTo('/admin/principals?search=Ada')
    await page.getByLabel('Client ID').and(page.locator(':focus')).waitFor()
    await page.keyboard.type(administrator.clientId)
    await tabTo(page, 'Client secret')
    await page.keyboard.type('wrong')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').getByText('Wrong client ID or secret').waitFor()
    await screenshot(page, 'sign-in-refused')
    expect(await violations(page)).toEqual([])
    await page.getByLabel('Client secret', { exact: true }).fill(administrator.secret)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Principals' }).and(page.locator(':focus')).waitFor()
    expect(page.url()).toBe(`${address}/admin/principals?search=Ada`)

    await tabTo(page, 'Add principal')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Add principal' }).and(page.locator(':focus')).waitFor()
    await page.getByLabel('computer.read').waitFor()
    const suggested = Date.parse(await page.getByLabel('Expires').inputValue())
    expect(Math.abs(suggested - Date.now() - 365 * 86_400_000)).toBeLessThan(2 * 86_400_000)
    await tabTo(page, 'Description')
    await page.keyboard.type('By keyboard')
    await tabTo(page, 'computer.read')
    await page.keyboard.press('Space')
    await tabTo(page, 'Create')
    await page.keyboard.press('Enter')
    const shown = page.getByRole('dialog', { name: 'Store this secret now' })
    await shown.locator(':focus').waitFor()
    expect(await lowContrastsInAllColours(page)).toEqual([])
    await page.keyboard.press('Escape')
    expect(await shown.getByRole('button', { name: 'Continue' }).isDisabled()).toBe(true)
    await tabTo(page, 'Copy: Client secret')
    await page.keyboard.press('Enter')
    await shown.getByRole('button', { name: 'Copied: Client secret' }).waitFor()
    const client_secret = await page.evaluate<string>('navigator.clipboard.readText()')
    const client_id = await shown.getByLabel('Client ID', { exact: true }).inputValue()
    await tabTo(page, 'I have stored the secret')
    await page.keyboard.press('Space')
    await tabTo(page, 'Continue')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'By keyboard' }).and(page.locator(':focus')).waitFor()
    expect(await page.content()).not.toContain(client_secret)
    const token = await fetch(`${address}${requestToken.path}`, {
      method: 'POST',
      body: new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret }),
    })
    expect(token.status).toBe(200)

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
  },
)

inBrowser(
  'a link signs the first administrator in, who grants itself the roles for the fleet after a review',
  async () => {
    const first = await given.localPrincipal({ roles: ['admin.manage'], description: 'First administrator' })
    const token = await insertSignInLink(db, app.services.keys, first.id)
    const { page, context } = await openSignedOut()

    await page.goto(`/admin/sign-in#link=${token}`)
    const notice = page.getByRole('alert').filter({ hasText: 'Get access to the fleet' })
    await notice.getByRole('button', { name: 'Review the roles' }).click()
    const panel = page.getByRole('dialog', { name: 'Get access to the fleet' })
    await panel.getByText('gets 14 roles').waitFor()
    await panel.getByText('reboot.execute').waitFor()
    await screenshot(page, 'own-roles')
    expect(await violations(page)).toEqual([])
    const { roles: before } = (await as('admin.manage').call(getLocalPrincipal, { params: { id: first.id } })).body
    await panel.getByRole('button', { name: 'Grant me these roles' }).click()

    await page.getByRole('link', { name: 'Computers', exact: true }).waitFor()
    await notice.waitFor({ state: 'hidden' })
    expect(page.url()).toBe(`${address}/`)
    const { roles } = (await as('admin.manage').call(getLocalPrincipal, { params: { id: first.id } })).body
    expect(before).toEqual(['admin.manage'])
    // The roles of programs and auditors are not among them: the role for principals suffices.
    expect(roleNames.filter((role) => !roles.includes(role))).toEqual(['metrics.read', 'audit.read'])
    // A link never replaces the session of somebody who is signed in, and a used one says why it does not work.
    await page.goto(`/admin/sign-in#link=${token}`)
    await page.getByRole('link', { name: 'Computers', exact: true }).waitFor()
    await context.clearCookies()
    await page.goto('/admin/about')
    await page.goto(`/admin/sign-in#link=${token}`)
    await page.reload()
    await page.goto('about:blank')
    await page.goto(`/admin/sign-in#link=${token}`)
    await page.getByRole('alert').getByText('This link was used before').waitFor()
  },
)

inBrowser('the dialog about a change of somebody else can be read in all colours', async () => {
  const { id } = await given.localPrincipal({ description: 'Shared' })
  const { page, goTo } = await visit()
  await goTo(`/admin/principals/local/${id}`)
  await page.getByLabel('Description').fill('Mine')
  const body = { description: 'Theirs', roles: [], expiresAtUtc: null }
  await as('admin.manage').call(updateLocalPrincipal, { params: { id }, body })

  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByLabel('Description, Yours: Mine').waitFor()

  expect(await lowContrastsInAllColours(page)).toEqual([])
})

inBrowser('the first tab stop skips the navigation, and signing out ends the session', async () => {
  const { page, context, goTo } = await visit({ isAlone: true })
  await goTo('/admin/about')
  await page.getByRole('heading', { name: 'About' }).waitFor()
  await page.keyboard.press('Tab')
  await page.getByRole('link', { name: 'Skip to content' }).and(page.locator(':focus')).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('main').and(page.locator(':focus')).waitFor()
  expect(await page.title()).toBe('About · Muster')

  await page.getByRole('button', { name: 'Account and settings' }).click()
  await page.getByRole('link', { name: 'Sign out' }).click()

  await page.getByText('You are signed out.').waitFor()
  expect((await context.request.get('/api/admin/roles')).status()).toBe(401)
  await goTo('/admin/principals')
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
})

inBrowser('a page of another origin cannot use the session of the console', async () => {
  const elsewhere = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html').end(`<form method="post" enctype="text/plain"
      action="${address}/api/admin/local-principals"><button>Go</button></form>`)
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void elsewhere.close())
  const { page, context } = await visit({ isAlone: true })
  const other = await context.newPage()
  await other.goto(`http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/`)

  const answer = other.waitForResponse(`${address}/api/admin/local-principals`)
  await other.getByRole('button').click()
  const withoutToken = await context.request.post('/api/admin/local-principals', {
    data: { description: 'Forged', roles: [], expiresAtUtc: null },
  })

  expect((await answer).status()).toBe(403)
  expect(await withoutToken.json()).toMatchObject({ status: 403, code: 'CsrfTokenInvalid' })
  await page.close()
})
