import { describe, expect, test } from 'vitest'
import { createLocalPrincipal } from '../../src/features/principals/api/create-local-principal.ts'
import { listLocalPrincipals } from '../../src/features/principals/api/list-local-principals.ts'
import { openWorld } from '../world/open-world.ts'
import { browser, type SessionAnswer } from './browser.ts'

const { app, as, given } = await openWorld({ configuration: { signInRateLimit: 0, corsOrigins: ['*'] } })
const body = { description: 'forged', roles: [], expiresAtUtc: null }

async function signedIn() {
  const visitor = browser(app)
  const { csrfToken } = (
    await visitor.signIn(await given.localPrincipal({ roles: ['admin.manage'] }))
  ).json<SessionAnswer>()
  return { visitor, csrfToken }
}

const forged = async () => {
  const { body } = await as('admin.manage').call(listLocalPrincipals)
  return body.filter(({ description }) => description === 'forged').length
}

describe('a change with a session', () => {
  test.each([
    ['without the CSRF token', {}],
    ['with an empty CSRF token', { 'x-csrf-token': '' }],
    ['with a wrong CSRF token', { 'x-csrf-token': 'A'.repeat(43) }],
  ])('a change with a session is refused %s', async (_, headers) => {
    const { visitor } = await signedIn()

    const refused = await visitor.send({ method: 'POST', url: createLocalPrincipal.path, payload: body, headers })

    expect(refused.json()).toMatchObject({ status: 403, code: 'CsrfTokenInvalid' })
    expect(await forged()).toBe(0)
  })

  test('a change with a session is refused with the CSRF token of another session', async () => {
    const [{ visitor }, other] = [await signedIn(), await signedIn()]
    const headers = { 'x-csrf-token': other.csrfToken }

    const refused = await visitor.send({ method: 'POST', url: createLocalPrincipal.path, payload: body, headers })

    expect(refused.json()).toMatchObject({ status: 403, code: 'CsrfTokenInvalid' })
    expect(await forged()).toBe(0)
  })

  test('a sign-out without the CSRF token is refused', async () => {
    const { visitor } = await signedIn()

    const refused = await visitor.send({ method: 'DELETE', url: '/admin/session' })

    expect(refused.json()).toMatchObject({ status: 403, code: 'CsrfTokenInvalid' })
    expect((await visitor.session()).statusCode).toBe(200)
  })
})

describe('a request with a session from elsewhere', () => {
  test.each([
    ['a page of another origin', { origin: 'https://evil.example.org' }],
    ['a page of another port', { origin: 'http://localhost:8080' }],
    ['a page without an origin', { origin: 'null' }],
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['another host of the same site', { 'sec-fetch-site': 'same-site' }],
  ])('every request with a session is refused if it comes from %s', async (_, headers) => {
    const { visitor } = await signedIn()

    const refused = [
      await visitor.call(createLocalPrincipal, { body, headers }),
      await visitor.call(listLocalPrincipals, { headers }),
      await visitor.send({ method: 'GET', url: '/admin/session', headers }),
    ]

    for (const answer of refused) expect(answer.json()).toMatchObject({ status: 403, code: 'ForeignOrigin' })
    expect(await forged()).toBe(0)
  })
})

test('a page of another origin cannot sign anybody in', async () => {
  const { clientId, secret } = await given.localPrincipal({ roles: ['admin.manage'] })
  const visitor = browser(app)
  const payload = { clientId, clientSecret: secret }

  for (const headers of [{ origin: 'https://evil.example.org' }, { 'sec-fetch-site': 'cross-site' }]) {
    const refused = await visitor.send({ method: 'POST', url: '/admin/session', payload, headers })
    expect(refused.json()).toMatchObject({ status: 403, code: 'ForeignOrigin' })
  }
  expect(visitor.cookies.size).toBe(0)
})

test('a change with a session and its CSRF token from the same origin is made', async () => {
  const { visitor } = await signedIn()

  const made = await visitor.call(createLocalPrincipal, {
    body: { ...body, description: 'wanted' },
    headers: { origin: 'http://localhost' },
  })

  expect(made.statusCode).toBe(200)
})

test('programs with access tokens need neither the same origin nor a CSRF token', async () => {
  const headers = { origin: 'https://tools.example.org', 'sec-fetch-site': 'cross-site' }

  const made = await as('admin.manage').call(createLocalPrincipal, { body: { ...body, description: 'tool' }, headers })

  expect(made.status).toBe(200)
})
