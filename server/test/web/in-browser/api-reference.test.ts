import { expect } from 'vitest'
import { inBrowser } from './open-browser.ts'
import { openPages } from './open-pages.ts'

const { app, given, visit } = await openPages({ configuration: { mode: 'development' } })

inBrowser(
  'the first request in the interactive reference sends no value of an example, and finds something',
  async () => {
    const { page } = await visit({ isAlone: true })
    // What a person would enter as a token in the reference.
    const { id } = await given.localPrincipal({ roles: ['admin.manage'] })
    const authorization = `Bearer ${await app.services.tokens.issue(id)}`
    await page.route('**/api/audit?*', (route) =>
      route.continue({ headers: { ...route.request().headers(), authorization } }),
    )
    await page.goto('/scalar/v1#muster/tag/audit')

    await page.getByRole('button', { name: /Test Request.*get \/api\/audit/i }).click()
    const sent = page.waitForRequest((request) => new URL(request.url()).pathname === '/api/audit')
    await page.getByRole('button', { name: /^Send/ }).first().click()
    const request = await sent
    const answer = await request.response()

    expect([...new URL(request.url()).searchParams.keys()]).toEqual(['skip', 'top'])
    expect(Object.keys(request.headers())).not.toContain('if-none-match')
    expect(answer?.status()).toBe(200)
    expect(await answer?.json()).toMatchObject({ items: [{ operation: 'signIn' }] })
  },
)
