import { afterAll, expect, onTestFinished, test } from 'vitest'
import { buildApp } from '../../src/app.ts'
import type { Configuration } from '../../src/platform/configuration.ts'
import { startIdentityProvider } from '../world/identity-provider.ts'
import { openWorld } from '../world/open-world.ts'
import { pages } from './provider-flow.ts'

const provider = await startIdentityProvider({ pages })
afterAll(() => provider.close())
const { name } = provider.settings
const { app, database, given } = await openWorld({
  configuration: { signInRateLimit: 0, identityProviders: [provider.settings] },
})

/** Starts a sign-in. Returns the status and the address to which the provider is to send the browser back. */
async function leave(configuration: Partial<Configuration>, headers: Record<string, string>) {
  const node = await buildApp({ database, configuration: { ...app.services.configuration, ...configuration } })
  onTestFinished(() => node.http.close())
  const { statusCode, headers: answered, body } = await node.http.inject({ url: `/admin/sign-in/${name}`, headers })
  const redirect = URL.parse(String(answered.location))?.searchParams.get('redirect_uri')
  return { status: statusCode, redirect, body }
}

test.each([{ trustedProxies: [] }, { trustedProxies: ['127.0.0.1'] }])(
  'a provider gets the public address, whatever the request says: %j',
  async ({ trustedProxies }) => {
    const left = await leave(
      { publicUrl: 'https://muster.example.org', trustedProxies },
      { host: 'evil.example.org', 'x-forwarded-host': 'evil.example.org', 'x-forwarded-proto': 'http' },
    )

    expect(left).toMatchObject({ status: 302, redirect: `https://muster.example.org/admin/callback/${name}` })
  },
)

test.each(['x-forwarded-proto', 'x-forwarded-for', 'x-forwarded-host', 'forwarded', 'via'])(
  'no address is made up for a proxy that is not listed and sends %s',
  async (header) => {
    const left = await leave({ trustedProxies: ['192.0.2.1', 'fd00::/8'] }, { [header]: 'x' })

    expect(left).toMatchObject({
      status: 400,
      redirect: undefined,
      body: expect.stringContaining('MUSTER_TRUSTED_PROXIES'),
    })
  },
)

test('cookies are Secure if the public address has TLS, even if the proxy does not say so', async () => {
  const { clientId, secret } = await given.localPrincipal({ roles: ['admin.manage'] })
  const configuration = { ...app.services.configuration, publicUrl: 'https://muster.example.org' }
  const node = await buildApp({ database, configuration })
  onTestFinished(() => node.http.close())

  const { headers } = await node.http.inject({
    method: 'POST',
    url: '/admin/session',
    payload: { clientId, clientSecret: secret },
  })

  expect(headers['set-cookie']).toMatch(/^__Host-muster_session=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Lax$/)
})

test('behind a listed proxy that ends TLS, a provider gets an address with TLS', async () => {
  const left = await leave(
    { trustedProxies: ['127.0.0.0/8'] },
    { host: 'muster.example.org', 'x-forwarded-proto': 'https' },
  )

  expect(left.redirect).toBe(`https://muster.example.org/admin/callback/${name}`)
})
