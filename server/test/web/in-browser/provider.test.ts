import { afterAll, expect } from 'vitest'
import { startIdentityProvider } from '../../world/identity-provider.ts'
import { freePort } from './free-port.ts'
import { inBrowser, screenshot } from './open-browser.ts'
import { openPages } from './open-pages.ts'
import { lowContrastsInAllColours, violations } from './violations.ts'

// The provider must know where the pages are before they are served.
const port = await freePort()
const provider = await startIdentityProvider({ pages: `http://127.0.0.1:${port}` })
afterAll(() => provider.close())
const { address, db, given, openSignedOut } = await openPages({
  port,
  configuration: { identityProviders: [provider.settings] },
})
const { issuer } = provider
const ada = await given.identityPrincipal({ subjectId: 'ada', issuer, displayName: 'Ada', roles: ['admin.manage'] })

provider.user = 'ada'

inBrowser(
  'a sign-in with a provider leads to the requested page, an ended session is renewed in another window without losing input, and signing out ends the session at the provider too',
  async () => {
    const { page, context, goTo } = await openSignedOut()
    // A query that every page knows: the console refuses filters that its page does not have.
    const requested = `/admin/principals/provider/${ada.id}?skip=0`
    await goTo(requested)
    await page.getByText('or with client ID and secret').waitFor()
    await screenshot(page, 'sign-in-with-provider')
    expect(await violations(page)).toEqual([])
    await page.getByRole('link', { name: 'Sign in with Corporate login' }).click()
    await page.getByRole('heading', { name: 'Ada' }).waitFor()
    expect(page.url()).toBe(`${address}${requested}`)

    await page.getByLabel('Display name').fill('Ada, Countess of Lovelace')
    await db.deleteFrom('sessions').where('principal_id', '=', ada.id).execute()
    await page.getByRole('button', { name: 'Save' }).click()
    const ended = page.getByRole('dialog', { name: 'Your session has ended' })
    await ended.waitFor()
    expect(await lowContrastsInAllColours(page)).toEqual([])
    const opened = context.waitForEvent('page')
    await page.getByRole('link', { name: 'Sign in with Corporate login in a new window' }).click()
    await (await opened).getByRole('heading', { name: 'Overview' }).waitFor()
    await page.bringToFront()
    await page.evaluate("dispatchEvent(new Event('focus'))")
    await ended.waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'Ada, Countess of Lovelace' }).waitFor()

    await page.getByRole('button', { name: 'Account and settings' }).click()
    await page.getByText(/^Signed in as Ada/).waitFor()
    await page.getByRole('link', { name: 'Sign out' }).click()
    await page.waitForURL((url) => url.origin === issuer)
    await page.getByRole('button', { name: /^Yes/ }).click()
    await page.getByText('You are signed out.').waitFor()
  },
)
