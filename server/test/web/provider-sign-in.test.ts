import { afterAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { listAuditEntries } from '../../src/features/audit/api/list-audit-entries.ts'
import { deletePrincipal } from '../../src/features/principals/api/delete-principal.ts'
import { getAdminFeatures } from '../../src/features/principals/api/get-admin-features.ts'
import { updatePrincipal } from '../../src/features/principals/api/update-principal.ts'
import { startIdentityProvider } from '../world/identity-provider.ts'
import { openWorld } from '../world/open-world.ts'
import { browser, type SessionAnswer } from './browser.ts'
import { atProvider, pages, signInWith } from './provider-flow.ts'

const provider = await startIdentityProvider({ pages })
afterAll(() => provider.close())
const { app, as, database, given, withToken } = await openWorld({
  configuration: { signInRateLimit: 0, identityProviders: [provider.settings] },
})
const { issuer } = provider
const { name } = provider.settings
const user = (subjectId: string, roles: Parameters<typeof given.identityPrincipal>[0] = {}) =>
  given.identityPrincipal({ subjectId, issuer, roles: ['admin.manage'], ...roles })

beforeEach(() => {
  provider.user = 'ada'
})

const ada = await user('ada', { displayName: 'Ada Lovelace' })

async function nodeWith(identityProvider: typeof provider.settings) {
  const node = await buildApp({
    database,
    configuration: { ...app.services.configuration, identityProviders: [identityProvider] },
  })
  onTestFinished(() => node.http.close())
  return node
}

describe('a user of the provider', () => {
  test('a user of the provider who is a known administrator gets a session', async () => {
    const visitor = browser(app)

    const arrived = await signInWith(visitor, { issuer, name })

    expect([arrived.statusCode, arrived.headers.location]).toEqual([302, '/'])
    expect((await visitor.session()).json<SessionAnswer>()).toMatchObject({
      principal: { id: ada.id, kind: 'user', subjectId: 'ada', displayName: 'Ada Lovelace', roles: ['admin.manage'] },
      provider: name,
    })
    expect([...visitor.cookies.keys()]).toEqual(['muster_session'])
    const { body } = await as('admin.manage').call(listAuditEntries, { query: { principalId: ada.id } })
    expect(body.items).toMatchObject([
      { operation: 'signIn', principalName: 'Ada Lovelace', request: { query: { provider: name } } },
    ])
  })

  test.each([
    ['without a principal', 'UnknownUser', async () => {}],
    ['whose principal has another issuer', 'UnknownUser', (id: string) => user(id, { issuer: `${issuer}/` })],
    ['whose principal is a client', 'UnknownUser', (id: string) => user(id, { subjectType: 'client' })],
    ['without a role', 'RoleRequired', (id: string) => user(id, { roles: [] })],
  ])('a user of the provider %s gets an error and no session, and the attempt is audited', async (_, error, known) => {
    provider.user = crypto.randomUUID()
    await known(provider.user)
    const visitor = browser(app)

    const arrived = await signInWith(visitor, { issuer, name })

    expect(arrived.headers.location).toBe(`/admin/sign-in?error=${error}`)
    expect(visitor.cookies.size).toBe(0)
    const [attempt] = (await as('admin.manage').call(listAuditEntries, { query: { operation: 'signIn', top: 1 } })).body
      .items
    expect(attempt).toMatchObject({
      principalName: provider.user,
      request: { address: '127.0.0.1', provider: name, error },
      status: error === 'UnknownUser' ? 401 : 403,
    })
  })

  test('a user who refuses consent at the provider gets an error and no session', async () => {
    provider.user = null
    const visitor = browser(app)

    const arrived = await signInWith(visitor, { issuer, name })

    expect(arrived.headers.location).toBe('/admin/sign-in?error=ProviderRefused')
    expect(visitor.cookies.size).toBe(0)
  })

  test.each([
    ['is deleted', (id: number) => as('admin.manage').call(deletePrincipal, { params: { id } })],
    [
      'gets another issuer',
      (id: number) =>
        as('admin.manage').call(updatePrincipal, {
          params: { id },
          body: { displayName: null, issuer: 'https://other.example.org/', roles: ['admin.manage'] },
        }),
    ],
  ])('the session of a user ends if the principal %s', async (_, change) => {
    provider.user = crypto.randomUUID()
    const { id } = await user(provider.user)
    const visitor = browser(app)
    await signInWith(visitor, { issuer, name })
    const before = await visitor.session()

    await change(id)

    expect([before.statusCode, (await visitor.session()).statusCode]).toEqual([200, 401])
  })
})

test.each(['client_secret_basic', 'client_secret_post', 'none'] as const)(
  'the service authenticates to the provider by the method that the provider supports: %s',
  async (authentication) => {
    const other = await startIdentityProvider({ pages, authentication })
    onTestFinished(() => other.close())
    await user('ada', { issuer: other.issuer })
    const visitor = browser(await nodeWith(other.settings))

    const arrived = await signInWith(visitor, { issuer: other.issuer, name })

    expect(arrived.headers.location).toBe('/')
  },
)

describe('an answer of the provider', () => {
  test('the answer of the provider is refused in another browser', async () => {
    const [visitor, thief] = [browser(app), browser(app)]

    const url = await atProvider(visitor, { issuer, name })
    const stolen = await thief.send({ method: 'GET', url })

    expect(stolen.headers.location).toBe('/admin/sign-in?error=SignInExpired')
    expect(thief.cookies.size).toBe(0)
  })

  test('the answer of the provider is refused with another state, and the second time', async () => {
    const visitor = browser(app)
    const url = await atProvider(visitor, { issuer, name })
    const pending = new Map(visitor.cookies)

    const foreign = await visitor.send({ method: 'GET', url: url.replace(/state=[^&]+/, 'state=foreign') })
    for (const [key, value] of pending) visitor.cookies.set(key, value)
    const first = await visitor.send({ method: 'GET', url })
    for (const [key, value] of pending) visitor.cookies.set(key, value)
    const second = await visitor.send({ method: 'GET', url })

    expect(foreign.headers.location).toBe('/admin/sign-in?error=SignInExpired')
    expect(first.headers.location).toBe('/')
    expect(second.headers.location).toBe('/admin/sign-in?error=ProviderRefused')
  })

  test('the answer of the provider is refused after ten minutes, or if the cookie of the sign-in was changed', async () => {
    const visitor = browser(app)
    const url = await atProvider(visitor, { issuer, name })
    const kept = visitor.cookies.get('muster_sign_in') ?? ''

    visitor.cookies.set('muster_sign_in', `${kept.slice(0, -4)}AAAA`)
    const changed = await visitor.send({ method: 'GET', url })
    visitor.cookies.set('muster_sign_in', kept)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 600_000 })
    onTestFinished(() => void vi.useRealTimers())
    const late = await visitor.send({ method: 'GET', url })

    expect(changed.headers.location).toBe('/admin/sign-in?error=SignInExpired')
    expect(late.headers.location).toBe('/admin/sign-in?error=SignInExpired')
    const left = await visitor.send({ method: 'GET', url: `/admin/sign-in/${name}` })
    expect(left.headers['set-cookie']).toMatch(/^muster_sign_in=[\w-]+; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/)
  })
})

test('the redirect to the provider has a code challenge, a state and a nonce, which are new each time', async () => {
  const visitor = browser(app)
  const leave = async () =>
    new URL(String((await visitor.send({ method: 'GET', url: `/admin/sign-in/${name}` })).headers.location))

  const [first, second] = [await leave(), await leave()]

  expect(Object.fromEntries(first.searchParams)).toMatchObject({
    response_type: 'code',
    client_id: 'muster',
    redirect_uri: `${pages}/admin/callback/${name}`,
    scope: 'openid',
    code_challenge_method: 'S256',
  })
  for (const secret of ['state', 'nonce', 'code_challenge']) {
    expect(first.searchParams.get(secret)?.length).toBeGreaterThan(40)
    expect(first.searchParams.get(secret)).not.toBe(second.searchParams.get(secret))
  }
})

test('the sign-in methods can be read before signing in', async () => {
  const features = await as('admin.manage').call(getAdminFeatures)
  const open = await withToken(undefined).send({ method: 'GET', url: '/admin/features' })

  expect(features.body).toEqual({
    idpEnabled: true,
    localAdminEnabled: true,
    oidcLoginProviders: [{ name, displayName: 'Corporate login' }],
  })
  expect(open.body).toEqual(features.body)
})

test('signing in with an unknown provider is answered with 404', async () => {
  const visitor = browser(app)

  for (const url of ['/admin/sign-in/unknown', '/admin/callback/unknown'])
    expect((await visitor.send({ method: 'GET', url })).json()).toMatchObject({ status: 404, code: 'NotFound' })
})

test('a session ends when its provider is no longer in the configuration', async () => {
  const visitor = browser(app)
  await signInWith(visitor, { issuer, name })
  const without = browser(await nodeWith({ ...provider.settings, name: 'another' }))
  for (const [key, value] of visitor.cookies) without.cookies.set(key, value)

  expect((await visitor.session()).statusCode).toBe(200)
  expect((await without.session()).statusCode).toBe(401)
})

describe('an unusable provider', () => {
  test('an unreachable provider is reported on the sign-in page, and is tried again later', async () => {
    const other = await startIdentityProvider({ pages, name: 'other' })
    onTestFinished(() => other.close())
    other.isDown = true
    const visitor = browser(await nodeWith(other.settings))
    const leave = () => visitor.send({ method: 'GET', url: '/admin/sign-in/other' })

    const left = await leave()
    const cookiesThen = visitor.cookies.size
    other.isDown = false
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 5_000 })
    onTestFinished(() => void vi.useRealTimers())
    const leftLater = await leave()

    expect([left.statusCode, left.headers.location]).toEqual([302, '/admin/sign-in?error=ProviderUnavailable'])
    expect(cookiesThen).toBe(0)
    expect(leftLater.headers.location).toContain(`${other.issuer}/auth`)
  })

  test('a provider that becomes unreachable during the sign-in is reported as well', async () => {
    const other = await startIdentityProvider({ pages, name: 'other' })
    const visitor = browser(await nodeWith(other.settings))
    onTestFinished(() => other.close())
    const url = await atProvider(visitor, { issuer: other.issuer, name: 'other' })
    other.isDown = true

    const arrived = await visitor.send({ method: 'GET', url })

    expect(arrived.headers.location).toBe('/admin/sign-in?error=ProviderUnavailable')
  })

  test('a provider whose issuer is not the configured one is not used', async () => {
    const visitor = browser(await nodeWith({ ...provider.settings, issuer: `${issuer}/` }))

    const left = await visitor.send({ method: 'GET', url: `/admin/sign-in/${name}` })

    expect(left.headers.location).toBe('/admin/sign-in?error=ProviderUnavailable')
  })
})

describe('logging out', () => {
  test('logging out ends the session here and redirects to the provider, which redirects back', async () => {
    const visitor = browser(app)
    await signInWith(visitor, { issuer, name })
    const token = visitor.cookies.get('muster_session') ?? ''

    const left = await visitor.send({ method: 'GET', url: '/admin/logout' })

    const address = new URL(String(left.headers.location))
    expect(`${address.origin}${address.pathname}`).toBe(`${issuer}/session/end`)
    expect(address.searchParams.get('post_logout_redirect_uri')).toBe(`${pages}/admin/sign-in?signedOut=1`)
    expect(address.searchParams.get('id_token_hint')).toMatch(/^eyJ/)
    expect(visitor.cookies.size).toBe(0)
    visitor.cookies.set('muster_session', token)
    expect((await visitor.session()).statusCode).toBe(401)
    expect((await fetch(address)).status).toBe(200)
  })

  test('logging out redirects to the sign-in page if the provider cannot end sessions', async () => {
    const other = await startIdentityProvider({ pages, withLogout: false })
    onTestFinished(() => other.close())
    await user('grace', { issuer: other.issuer })
    other.user = 'grace'
    const visitor = browser(await nodeWith(other.settings))
    await signInWith(visitor, { issuer: other.issuer, name })

    const left = await visitor.send({ method: 'GET', url: '/admin/logout' })

    expect(left.headers.location).toBe('/admin/sign-in?signedOut=1')
    expect(visitor.cookies.size).toBe(0)
  })
})
