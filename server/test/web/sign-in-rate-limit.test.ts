import { expect, test } from 'vitest'
import { openWorld } from '../world/open-world.ts'
import { browser } from './browser.ts'

// Nothing listens there.
const provider = {
  name: 'corporate',
  displayName: 'Corporate login',
  issuer: 'http://127.0.0.1:1',
  clientId: 'muster',
  clientSecret: undefined,
  audience: undefined,
  scopes: ['openid'],
  serviceAccounts: false,
}
const { app, given } = await openWorld({ configuration: { signInRateLimit: 3, identityProviders: [provider] } })
const { clientId, secret } = await given.localPrincipal({ roles: ['admin.manage'] })

const attempt = (remoteAddress: string, clientId: string, clientSecret: string) =>
  browser(app).send({ method: 'POST', url: '/admin/session', payload: { clientId, clientSecret }, remoteAddress })

test('sign-ins of an address beyond the limit are refused, even with the right secret, and those of another address are not', async () => {
  for (const guess of ['a', 'b', 'c']) await attempt('192.0.2.1', guess, 'x')

  const refused = await attempt('192.0.2.1', clientId, secret)
  const elsewhere = await attempt('192.0.2.2', clientId, secret)

  expect(refused.json()).toMatchObject({ status: 429, code: 'TooManyRequests' })
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(50)
  expect(refused.headers['set-cookie']).toBeUndefined()
  expect(elsewhere.statusCode).toBe(200)
})

test('wrong secrets lock an administrator out at their address only', async () => {
  const victim = await given.localPrincipal({ roles: ['admin.manage'] })
  for (const last of [11, 12, 13])
    for (const guess of ['a', 'b', 'c', 'd']) await attempt(`192.0.2.${last}`, victim.clientId, guess)

  const refused = await attempt('192.0.2.11', victim.clientId, victim.secret)
  const elsewhere = await attempt('192.0.2.14', victim.clientId, victim.secret)

  expect([refused.statusCode, elsewhere.statusCode]).toEqual([429, 200])
})

test('redirects to a provider and back count as sign-ins', async () => {
  const go = async (url: string) =>
    (await browser(app).send({ method: 'GET', url, remoteAddress: '192.0.2.20' })).headers.location

  const allowed = [
    await go('/admin/sign-in/corporate'),
    await go('/admin/callback/corporate?code=a&state=b'),
    await go('/admin/sign-in/corporate'),
  ]

  expect(allowed).toEqual([
    '/admin/sign-in?error=ProviderUnavailable',
    '/admin/sign-in?error=SignInExpired',
    '/admin/sign-in?error=ProviderUnavailable',
  ])
  const { headers } = await browser(app).send({
    method: 'GET',
    url: '/admin/sign-in/corporate',
    remoteAddress: '192.0.2.20',
  })
  expect(headers.ratelimit).toBe(`"sign-in";r=0;t=${headers['retry-after']}`)
  for (const path of ['/admin/sign-in/corporate', '/admin/callback/corporate?code=a&state=b'])
    expect(await go(path)).toBe('/admin/sign-in?error=TooManyRequests')
})
