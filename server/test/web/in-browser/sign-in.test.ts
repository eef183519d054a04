import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished } from 'vitest'
import { getLocalPrincipal } from '../../../src/features/principals/api/get-local-principal.ts'
import { insertSignInLink } from '../../../src/features/principals/sign-in-links.ts'
import { roleNames } from '../../../src/platform/roles.ts'
import { inBrowser, screenshot } from './open-browser.ts'
import { openPages } from './open-pages.ts'
import { violations } from './violations.ts'

const { address, app, as, db, given, openSignedOut, visit } = await openPages()

const administrator = await given.localPrincipal({ roles: ['admin.manage'], description: 'Ada' })

inBrowser('a wrong secret is refused, and the right one leads to the requested page', async () => {
  const { page, goTo } = await openSignedOut()
  await goTo('/admin/audit?operation=signIn')
  await page.getByLabel('Client ID').fill(administrator.clientId)

  await page.getByLabel('Client secret', { exact: true }).fill('wrong')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('alert').getByText('Wrong client ID or secret').waitFor()
  await screenshot(page, 'sign-in-refused')
  expect(await violations(page)).toEqual([])
  await page.getByLabel('Client secret', { exact: true }).fill(administrator.secret)
  await page.keyboard.press('Enter')

  await page.getByRole('heading', { name: 'Audit trail' }).waitFor()
  expect(page.url()).toBe(`${address}/admin/audit?operation=signIn`)
})

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
    expect([before, roles.length]).toEqual([['admin.manage'], roleNames.length])
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

inBrowser('signing out in the console ends the session', async () => {
  const { page, context, goTo } = await visit({ isAlone: true })
  await goTo('/admin/about')

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
