import { hostname } from 'node:os'
import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import { sql } from 'kysely'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { listAuditEntries } from '../../src/features/audit/api/list-audit-entries.ts'
import { setLocalPrincipalRevoked } from '../../src/features/principals/api/set-local-principal-revoked.ts'
import { findLinkAddress, insertSignInLink } from '../../src/features/principals/sign-in-links.ts'
import { whoAmI } from '../../src/features/service/api/who-am-i.ts'
import { databaseEnvironment, start, waitForSuccess } from '../database/backup/commands.ts'
import { copyInitialised, temporaryFolder, until } from '../database/embedded-postgres/muster.ts'
import { openWorld } from '../world/open-world.ts'
import { startServiceProcess } from '../world/service-process.ts'
import { type Browser, browser, type SessionAnswer } from './browser.ts'

const { app, as, database, db, given } = await openWorld({ configuration: { signInRateLimit: 0 } })

const trusting = { ...app.services.configuration, trustedProxies: ['127.0.0.1', '192.0.2.7'] }
const behindProxy = await buildApp({ database, configuration: trusting })
afterAll(() => behindProxy.http.close())

const own = { host: '127.0.0.1:5057', origin: 'http://127.0.0.1:5057' }

async function newLink() {
  const principal = await given.localPrincipal({ roles: ['admin.manage'] })
  return { ...principal, token: await insertSignInLink(db, app.services.keys, principal.id) }
}

/** What the page sends that the link opens. */
function redeem(
  visitor: Browser,
  token: string,
  { headers, ...request }: InjectOptions = {},
): Promise<LightMyRequestResponse> {
  const payload = { token }
  return visitor.send({
    method: 'POST',
    url: '/admin/session/link',
    headers: { ...own, ...headers },
    payload,
    ...request,
  })
}

test('a link signs in as its principal once, on any node, and the audit trail shows how', async () => {
  const { id, token } = await newLink()
  const otherNode = await buildApp({ database, configuration: app.services.configuration })
  onTestFinished(() => otherNode.http.close())
  const [visitor, second] = [browser(app), browser(otherNode)]

  const answer = await redeem(visitor, token)
  const again = await redeem(second, token)

  expect(answer.json<SessionAnswer>()).toMatchObject({ principal: { id, roles: ['admin.manage'] }, provider: null })
  expect((await visitor.call(whoAmI)).json()).toMatchObject({ principalId: id })
  expect(again.json()).toMatchObject({ status: 401, code: 'SignInLinkInvalid' })
  expect(second.cookies.size).toBe(0)
  const { body } = await as('admin.manage').call(listAuditEntries, { query: { operation: 'signIn' } })
  expect(body.items).toMatchObject([
    { principalId: null, status: 401, request: { method: 'link', error: 'SignInLinkInvalid', address: '127.0.0.1' } },
    { principalId: id, status: 200, request: { query: { method: 'link' }, address: '127.0.0.1' } },
  ])
  expect(JSON.stringify(body)).not.toContain(token)
})

test('requests at the same time use a link only once', async () => {
  const { token } = await newLink()

  const answers = await Promise.all(Array.from({ length: 5 }, () => redeem(browser(app), token)))

  expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 401, 401, 401, 401])
})

test('opening the link does not use it, because the browser does not send the token', async () => {
  const { token } = await newLink()
  const places = { addresses: ['http://127.0.0.1:5057'], publicUrl: undefined }
  const address = new URL(findLinkAddress(places, token) ?? '')
  const visitor = browser(app)

  const opened = await visitor.send({ method: 'GET', url: address.pathname + address.search, headers: own })
  const guessed = await visitor.send({ method: 'GET', url: `/admin/session/link?token=${token}`, headers: own })

  expect(address.hash).toBe(`#link=${token}`)
  expect([opened.statusCode, guessed.statusCode]).toEqual([200, 405])
  expect(visitor.cookies.size).toBe(0)
  expect((await redeem(visitor, token)).statusCode).toBe(200)
})

test.each([
  ['from another machine', { remoteAddress: '192.0.2.7' }],
  [
    'from another machine that claims to be this one',
    { remoteAddress: '192.0.2.7', headers: { 'x-forwarded-for': '127.0.0.1' } },
  ],
  ['through a proxy on this machine', { headers: { 'x-forwarded-for': '192.0.2.7' } }],
  ['through a proxy that names itself', { headers: { via: '1.1 proxy' } }],
  [
    'through a proxy that adds no header',
    { headers: { host: 'muster.example.org', origin: 'https://muster.example.org' } },
  ],
  [
    'for a name that an attacker points to this machine',
    { headers: { host: 'evil.example.org:5057', origin: 'http://evil.example.org:5057' } },
  ],
] as const)('a request %s is refused, audited, and does not use up the link', async (_, request) => {
  const { token } = await newLink()

  const refused = [await redeem(browser(app), token, request), await redeem(browser(behindProxy), token, request)]

  expect(refused.map((answer) => answer.json())).toMatchObject(
    Array(2).fill({ status: 403, code: 'SignInLinkNotLocal' }),
  )
  const { body } = await as('admin.manage').call(listAuditEntries, { query: { operation: 'signIn' } })
  expect(body.items).toContainEqual(
    expect.objectContaining({ status: 403, request: expect.objectContaining({ error: 'SignInLinkNotLocal' }) }),
  )
  expect((await redeem(browser(app), token)).statusCode).toBe(200)
})

test('a page of another origin cannot use a link', async () => {
  const { token } = await newLink()

  const refused = await redeem(browser(app), token, {
    headers: { origin: 'https://evil.example.org', 'sec-fetch-site': 'cross-site' },
  })

  expect(refused.json()).toMatchObject({ status: 403, code: 'ForeignOrigin' })
  expect((await redeem(browser(app), token)).statusCode).toBe(200)
})

test('a link ends after ten minutes, and the database stores only a hash of it', async () => {
  const { id, token } = await newLink()
  const rows = await sql<{ row: string; minutes: number }>`
    select link::text as row, extract(epoch from expires_at - now()) / 60 as minutes
    from sign_in_links link where principal_id = ${id}`.execute(db)
  await sql`update sign_in_links set expires_at = now() where principal_id = ${id}`.execute(db)

  const late = await redeem(browser(app), token)

  expect(Math.round(rows.rows[0]?.minutes ?? 0)).toBe(10)
  expect(rows.rows[0]?.row).not.toContain(Buffer.from(token, 'base64url').toString('hex'))
  expect(late.json()).toMatchObject({ code: 'SignInLinkInvalid' })
})

test('a link does not work for a principal that is revoked, nor with local sign-in disabled', async () => {
  const [revoked, disabled] = [await newLink(), await newLink()]
  const params = { id: revoked.id }
  await as('admin.manage').call(setLocalPrincipalRevoked, { params, body: { isRevoked: true } })
  const withoutSecrets = await buildApp({
    database,
    configuration: { ...app.services.configuration, localSignIn: false },
  })
  onTestFinished(() => withoutSecrets.http.close())

  const answers = [await redeem(browser(app), revoked.token), await redeem(browser(withoutSecrets), disabled.token)]

  expect(answers.map((answer) => answer.json().code)).toEqual(['SignInLinkInvalid', 'LocalSignInDisabled'])
})

test('links lead to the service over TLS or, without it, on this machine in the clear, or nowhere', () => {
  const addressFor = (...addresses: string[]) => findLinkAddress({ addresses, publicUrl: undefined }, 'T')
  const publicUrl = 'https://muster.example.org'

  expect(addressFor('http://127.0.0.1:5057', 'https://127.0.0.1:5443')).toBe(
    'https://127.0.0.1:5443/admin/sign-in#link=T',
  )
  expect(addressFor('https://0.0.0.0:5443')).toBe(`https://${hostname()}:5443/admin/sign-in#link=T`)
  expect(findLinkAddress({ addresses: ['https://0.0.0.0:5443'], publicUrl }, 'T')).toBe(
    'https://muster.example.org/admin/sign-in#link=T',
  )
  // TLS that ends at a proxy: the connection to the service is in the clear.
  expect(findLinkAddress({ addresses: ['http://127.0.0.1:5057'], publicUrl }, 'T')).toBe(
    'http://127.0.0.1:5057/admin/sign-in#link=T',
  )
  expect(addressFor('http://0.0.0.0:80')).toBe('http://127.0.0.1/admin/sign-in#link=T')
  expect(addressFor('http://[::]:5057')).toBe('http://[::1]:5057/admin/sign-in#link=T')
  expect(addressFor('http://192.0.2.7:5057', 'http://127.0.0.1:69/boot')).toBeUndefined()
})

test('a command on the server prints a link for a principal, which is audited', async () => {
  const { id, clientId } = await given.localPrincipal({ roles: ['computer.read'] })
  const environment = { ...databaseEnvironment(database), MUSTER_PORT: '5099' }

  const output = await waitForSuccess(start('cli/admin', ['link', '--client-id', clientId], environment))

  const [, token = ''] = /^http:\/\/127\.0\.0\.1:5099\/admin\/sign-in#link=([\w-]{43})$/m.exec(output) ?? []
  expect((await redeem(browser(app), token)).json()).toMatchObject({ principal: { id, roles: ['computer.read'] } })
  const { body } = await as('admin.manage').call(listAuditEntries, { query: { operation: 'createSignInLink' } })
  expect(body.items).toMatchObject([{ principalId: id, request: { body: { operator: expect.stringMatching(/\S/) } } }])
})

test('with MUSTER_SIGN_IN_LINKS=off, neither the first start nor a command prints a link', {
  timeout: 60_000,
}, async () => {
  const env = { MUSTER_BOOTSTRAP_CLIENT_SECRET: '', MUSTER_SIGN_IN_LINKS: 'off' }
  const { clientId } = await given.localPrincipal({ roles: ['admin.manage'] })

  const service = await startServiceProcess({ dataDirectory: await copyInitialised(await temporaryFolder()), env })
  await until(() => /Or open http/.test(service.output()))
  const command = await start('cli/admin', ['link', '--client-id', clientId], {
    ...databaseEnvironment(database),
    ...env,
  }).ended

  expect(service.output()).toContain('client secret')
  expect(service.output() + command.output).not.toContain('#link=')
  expect(command).toMatchObject({ code: 1, output: expect.stringContaining('MUSTER_SIGN_IN_LINKS is off') })
})

test('a link of a principal that was revoked stays invalid when the principal is restored', async () => {
  const { id, token } = await newLink()
  for (const isRevoked of [true, false])
    await as('admin.manage').call(setLocalPrincipalRevoked, { params: { id }, body: { isRevoked } })

  const answer = await redeem(browser(app), token)

  expect(answer.json()).toMatchObject({ status: 401, code: 'SignInLinkInvalid' })
})
