import { type RawBuilder, sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { listAuditEntries } from '../../src/features/audit/api/list-audit-entries.ts'
import { createLocalPrincipal } from '../../src/features/principals/api/create-local-principal.ts'
import { deleteLocalPrincipal } from '../../src/features/principals/api/delete-local-principal.ts'
import { setLocalPrincipalRevoked } from '../../src/features/principals/api/set-local-principal-revoked.ts'
import { updateLocalPrincipal } from '../../src/features/principals/api/update-local-principal.ts'
import { whoAmI } from '../../src/features/service/api/who-am-i.ts'
import { isForeignNavigation } from '../../src/platform/authentication/cross-site-requests.ts'
import type { Role } from '../../src/platform/roles.ts'
import { openWorld } from '../world/open-world.ts'
import { countStatements } from '../world/statements.ts'
import { browser, type SessionAnswer } from './browser.ts'

const { app, as, database, db, given } = await openWorld({ configuration: { signInRateLimit: 0 } })
const newPrincipal = { description: null, roles: [], expiresAtUtc: null }

async function signedIn() {
  const principal = await given.localPrincipal({ roles: ['admin.manage'] })
  const visitor = browser(app)
  await visitor.signIn(principal)
  return { ...principal, visitor }
}

/** Another node on the same database, or the same one after a restart. */
async function otherNode(configuration = {}) {
  const node = await buildApp({ database, configuration: { ...app.services.configuration, ...configuration } })
  onTestFinished(() => node.http.close())
  return node
}

/** The same browser with the same cookies, at another node. */
async function elsewhere(visitor: ReturnType<typeof browser>, configuration = {}) {
  const other = browser(await otherNode(configuration))
  for (const [name, value] of visitor.cookies) other.cookies.set(name, value)
  await other.session()
  return other
}

/** No operation can move the times of a session into the past. */
const setTimes = async (id: number, set: RawBuilder<Date>) =>
  sql`update sessions set ${set} where principal_id = ${id}`.execute(db)

const rowsOf = (id: number) =>
  db.selectFrom('sessions').select(['last_used_at', 'expires_at']).where('principal_id', '=', id).execute()

const administrator = () => as('admin.manage')
const changes: [string, (id: number) => Promise<{ status: number }>][] = [
  ['is revoked', (id) => administrator().call(setLocalPrincipalRevoked, { params: { id }, body: { isRevoked: true } })],
  ['is deleted', (id) => administrator().call(deleteLocalPrincipal, { params: { id } })],
  [
    'loses admin.manage',
    (id) =>
      administrator().call(updateLocalPrincipal, { params: { id }, body: { ...newPrincipal, roles: ['pm.read'] } }),
  ],
  ['loses its last role', (id) => administrator().call(updateLocalPrincipal, { params: { id }, body: newPrincipal })],
  [
    'expires',
    (id) =>
      administrator().call(updateLocalPrincipal, {
        params: { id },
        body: { ...newPrincipal, roles: ['admin.manage'], expiresAtUtc: new Date(Date.now() - 1000).toISOString() },
      }),
  ],
]

describe('a session', () => {
  test('a session survives a restart of the service, with the same CSRF token', async () => {
    const { visitor } = await signedIn()
    const before = (await visitor.session()).json<SessionAnswer>()

    const after = await elsewhere(visitor)

    expect((await after.session()).json()).toEqual(before)
    expect((await after.call(createLocalPrincipal, { body: newPrincipal })).statusCode).toBe(200)
  })

  test.each(changes)('a session ends at once on every node if its principal %s', async (_, act) => {
    const { id, visitor } = await signedIn()
    const other = await elsewhere(visitor)
    const before = [(await visitor.session()).statusCode, (await other.call(whoAmI)).statusCode]

    const { status } = await act(id)

    expect([...before, status]).toEqual([200, 200, 200])
    for (const each of [visitor, other]) {
      expect((await each.session()).json()).toMatchObject({ status: 401, code: 'Unauthorized' })
      expect((await each.call(whoAmI)).statusCode).toBe(401)
      expect((await each.call(createLocalPrincipal, { body: newPrincipal })).statusCode).toBe(401)
    }
  })

  test('a session stays ended after its principal is restored', async () => {
    const { id, visitor, ...credentials } = await signedIn()
    const revoke = (isRevoked: boolean) =>
      administrator().call(setLocalPrincipalRevoked, { params: { id }, body: { isRevoked } })

    await revoke(true)
    await revoke(false)

    expect((await visitor.session()).statusCode).toBe(401)
    expect((await visitor.signIn(credentials)).statusCode).toBe(200)
  })

  test('a session without administration goes on with other roles, and stays ended once all roles were lost', async () => {
    const { id, ...credentials } = await given.localPrincipal({ roles: ['pm.read'] })
    const visitor = browser(app)
    const setRoles = (...roles: Role[]) =>
      administrator().call(updateLocalPrincipal, { params: { id }, body: { ...newPrincipal, roles } })
    await visitor.signIn(credentials)

    await setRoles('group.read')
    const replaced = (await visitor.session()).json<SessionAnswer>()
    await setRoles()
    await setRoles('group.read')

    expect(replaced.principal.roles).toEqual(['group.read'])
    expect((await visitor.session()).statusCode).toBe(401)
  })

  test('a session ends half an hour after its last use', async () => {
    const { id, visitor } = await signedIn()

    await setTimes(id, sql<Date>`last_used_at = now() - interval '29 minutes'`)
    const early = await visitor.session()
    await setTimes(id, sql<Date>`last_used_at = now() - interval '30 minutes'`)
    const late = await visitor.session()

    expect([early.statusCode, late.statusCode]).toEqual([200, 401])
    const { idleExpiresAtUtc } = early.json<SessionAnswer>()
    expect(Math.round((Date.parse(idleExpiresAtUtc) - Date.now()) / 60_000)).toBe(30)
  })

  test('an open stream of events checks the session, and does not keep it alive', async () => {
    const { id, visitor } = await signedIn()
    const token = visitor.cookies.get('muster_session') ?? ''
    await setTimes(id, sql<Date>`last_used_at = now() - interval '29 minutes'`)

    const [checked] = await app.services.sessions.findAll(db, [token], { recordsUse: false })
    await setTimes(id, sql<Date>`last_used_at = last_used_at - interval '1 minute'`)

    expect(checked?.principal.id).toBe(id)
    expect((await visitor.session()).statusCode).toBe(401)
  })

  test('a session ends after ten hours, even if it is in use', async () => {
    const { id, visitor } = await signedIn()
    const { expiresAtUtc } = (await visitor.session()).json<SessionAnswer>()

    await setTimes(id, sql<Date>`expires_at = now() + interval '10 minutes'`)
    const nearTheEnd = (await visitor.session()).json<SessionAnswer>()
    await setTimes(id, sql<Date>`expires_at = now()`)

    expect(Math.round((Date.parse(expiresAtUtc) - Date.now()) / 60_000)).toBe(600)
    expect(nearTheEnd.idleExpiresAtUtc).toBe(nearTheEnd.expiresAtUtc)
    expect((await visitor.session()).statusCode).toBe(401)
  })

  test('the configuration sets the limits of sessions', async () => {
    const { id, visitor } = await signedIn()
    await setTimes(id, sql<Date>`last_used_at = now() - interval '6 minutes'`)

    const strict = await elsewhere(visitor, { sessionIdleMinutes: 5 })

    expect((await strict.session()).statusCode).toBe(401)
    expect((await visitor.session()).statusCode).toBe(200)
  })

  test('the session of a local principal ends if the configuration disables local sign-in', async () => {
    const { clientId, secret, visitor } = await signedIn()
    const other = await elsewhere(visitor, { localSignIn: false })

    const refused = await other.signIn({ clientId, secret })

    expect((await other.session()).statusCode).toBe(401)
    expect(refused.json()).toMatchObject({ status: 403, code: 'LocalSignInDisabled' })
    expect((await other.send({ method: 'GET', url: '/admin/features' })).json()).toMatchObject({
      localAdminEnabled: false,
    })
  })

  test('a session costs one statement per request, even when its use is recorded', async () => {
    const { id, visitor } = await signedIn()
    const statementsOfRequest = () => countStatements(() => visitor.call(whoAmI))

    const [before] = await rowsOf(id)
    const reading = await statementsOfRequest()
    const [read] = await rowsOf(id)
    await setTimes(id, sql<Date>`last_used_at = now() - interval '61 seconds'`)
    const writing = await statementsOfRequest()
    const [written] = await rowsOf(id)

    expect([reading, writing]).toEqual([1, 1])
    expect(read).toEqual(before)
    expect(Date.now() - (written?.last_used_at.getTime() ?? 0)).toBeLessThan(30_000)
  })

  test('expired sessions are purged', async () => {
    const [idle, old, current] = [await signedIn(), await signedIn(), await signedIn()]
    await setTimes(idle.id, sql<Date>`last_used_at = now() - interval '31 minutes'`)
    await setTimes(old.id, sql<Date>`expires_at = now() - interval '1 second'`)

    expect(await app.services.sessions.purgeExpired(db)).toBeGreaterThanOrEqual(2)

    expect([await rowsOf(idle.id), await rowsOf(old.id)]).toEqual([[], []])
    expect(await rowsOf(current.id)).toHaveLength(1)
  })

  test('a session is ignored if the request has an access token', async () => {
    const { id, visitor } = await signedIn()
    const other = await given.localPrincipal({ roles: [] })
    const authorization = `Bearer ${await app.services.tokens.issue(other.id)}`

    const asOther = await visitor.call(whoAmI, { headers: { authorization } })
    const refused = await visitor.call(whoAmI, { headers: { authorization: 'Bearer wrong' } })
    const session = await visitor.send({ method: 'GET', url: '/admin/session', headers: { authorization } })
    const ended = await visitor.send({ method: 'DELETE', url: '/admin/session', headers: { authorization } })

    expect(asOther.json()).toMatchObject({ principalId: other.id })
    expect([refused.statusCode, session.statusCode, ended.statusCode]).toEqual([401, 401, 401])
    expect((await visitor.call(whoAmI)).json()).toMatchObject({ principalId: id })
  })
})

describe('signing out', () => {
  test.each([
    ['in the console', 'DELETE', '/admin/session', 204],
    ['by the log-out URL, which needs no authentication,', 'GET', '/admin/logout', 302],
  ] as const)('signing out %s ends the session, clears the cookie and is audited', async (_, method, url, status) => {
    const { id, visitor } = await signedIn()
    const kept = new Map(visitor.cookies)
    const { csrfToken } = (await visitor.session()).json<SessionAnswer>()

    const answer = await visitor.send({ method, url, headers: { 'x-csrf-token': csrfToken } })

    expect(answer.statusCode).toBe(status)
    expect(visitor.cookies.size).toBe(0)
    expect(await rowsOf(id)).toEqual([])
    for (const [name, value] of kept) visitor.cookies.set(name, value)
    expect((await visitor.session()).statusCode).toBe(401)
    const { body } = await administrator().call(listAuditEntries, { query: { principalId: id } })
    expect(body.items.map(({ operation }) => operation)).toEqual(['signOut', 'signIn'])
  })

  test.each([{ 'sec-fetch-site': 'cross-site' }, { 'sec-fetch-site': 'same-site' }])(
    'a page of another site cannot sign anybody out by the log-out URL (%o)',
    async (headers) => {
      const { id, visitor } = await signedIn()

      const answer = await visitor.send({ method: 'GET', url: '/admin/logout', headers })

      expect(answer).toMatchObject({ statusCode: 302, headers: { location: '/' }, cookies: [] })
      expect(await rowsOf(id)).toHaveLength(1)
      expect((await visitor.session()).statusCode).toBe(200)
    },
  )

  test.each([
    ['https://evil.example.org/', true],
    ['https://muster.example.org/computers', false],
    [undefined, false],
  ])('over plain HTTP, a navigation from %s is foreign: %s', (referer, isForeign) => {
    const request = { headers: { ...(referer && { referer }) }, protocol: 'http', host: 'muster.example.org' } as const

    expect(isForeignNavigation(request)).toBe(isForeign)
  })

  test('the log-out URL redirects to the sign-in page, even without a session', async () => {
    const { visitor } = await signedIn()

    for (const each of [visitor, browser(app)]) {
      const { headers } = await each.send({ method: 'GET', url: '/admin/logout' })
      expect(headers.location).toBe('/admin/sign-in?signedOut=1')
    }
  })
})
