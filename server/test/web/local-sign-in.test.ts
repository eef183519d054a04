import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { listAuditEntries } from '../../src/features/audit/api/list-audit-entries.ts'
import { listTasks } from '../../src/features/deployments/api/tasks/list-tasks.ts'
import { createLocalPrincipal } from '../../src/features/principals/api/create-local-principal.ts'
import { listLocalPrincipals } from '../../src/features/principals/api/list-local-principals.ts'
import { whoAmI } from '../../src/features/service/api/who-am-i.ts'
import { openWorld } from '../world/open-world.ts'
import { browser, type SessionAnswer } from './browser.ts'

const { app, as, database, db, given } = await openWorld({ configuration: { signInRateLimit: 0 } })
const administrator = () => given.localPrincipal({ roles: ['admin.manage', 'group.read'] })
const newPrincipal = { description: 'created in the console', roles: [], expiresAtUtc: null }

describe('signing in with client id and secret', () => {
  test('signing in opens a session that the API accepts instead of a token, with exactly the roles of the principal', async () => {
    const { id, clientId, secret } = await administrator()
    const visitor = browser(app)

    const answer = await visitor.signIn({ clientId, secret })

    expect(answer.statusCode).toBe(200)
    expect(answer.json<SessionAnswer>()).toMatchObject({
      principal: {
        id,
        kind: 'local',
        subjectId: clientId,
        displayName: clientId,
        roles: ['admin.manage', 'group.read'],
      },
      provider: null,
    })
    expect((await visitor.session()).json()).toEqual(answer.json())
    expect((await visitor.call(whoAmI)).json()).toMatchObject({ principalId: id, name: clientId })
    expect((await visitor.call(listLocalPrincipals)).statusCode).toBe(200)
    expect((await visitor.call(listTasks)).json()).toMatchObject({ code: 'Forbidden' })
  })

  test('the session cookie cannot be read by scripts, and the database stores only a hash of it', async () => {
    const visitor = browser(app)

    const { headers } = await visitor.signIn(await administrator())

    expect(headers['set-cookie']).toMatch(/^muster_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/)
    const token = visitor.cookies.get('muster_session') ?? ''
    const rows = await sql<{ text: string }>`select sessions::text as text from sessions`.execute(db)
    for (const { text } of rows.rows) expect(text).not.toContain(Buffer.from(token).toString('hex'))
    expect(JSON.stringify(rows)).not.toContain(token)
  })

  test('with TLS, the session cookie is Secure and bound to the host, and no other cookie is accepted', async () => {
    const secure = await buildApp({
      database,
      configuration: { ...app.services.configuration, trustedProxies: ['127.0.0.1'] },
    })
    const https = { 'x-forwarded-proto': 'https' }
    const { clientId, secret } = await administrator()
    const visitor = browser(secure)

    const { headers } = await visitor.send({
      method: 'POST',
      url: '/admin/session',
      headers: https,
      payload: { clientId, clientSecret: secret },
    })
    const token = visitor.cookies.get('__Host-muster_session') ?? ''
    const accepted = await visitor.send({ method: 'GET', url: '/admin/session', headers: https })
    visitor.cookies.clear()
    visitor.cookies.set('muster_session', token)
    const refused = await visitor.send({ method: 'GET', url: '/admin/session', headers: https })

    expect(headers['set-cookie']).toMatch(/^__Host-muster_session=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Lax$/)
    expect([accepted.statusCode, refused.statusCode]).toEqual([200, 401])
    await secure.http.close()
  })

  test('signing in never reuses a session token that the browser sent', async () => {
    const visitor = browser(app)
    const [first, second] = [await administrator(), await administrator()]
    visitor.cookies.set('muster_session', 'a'.repeat(43))

    await visitor.signIn(first)
    const firstToken = visitor.cookies.get('muster_session') ?? ''
    await visitor.signIn(second)

    expect(firstToken).not.toBe('a'.repeat(43))
    expect(visitor.cookies.get('muster_session')).not.toBe(firstToken)
    const left = browser(app)
    left.cookies.set('muster_session', firstToken)
    expect((await left.session()).statusCode).toBe(401)
  })

  test.each([
    ['a wrong secret', (known: { clientId: string }) => ({ clientId: known.clientId, secret: 'wrong' })],
    ['an unknown client', () => ({ clientId: 'nobody', secret: 'wrong' })],
  ])('signing in with %s is refused', async (_, credentials) => {
    const visitor = browser(app)

    const refused = await visitor.signIn(credentials(await administrator()))

    expect(refused.json()).toMatchObject({ status: 401, code: 'InvalidCredentials' })
    expect(visitor.cookies.size).toBe(0)
  })

  test('every role can sign in, and may do in the console what it may do with a token', async () => {
    const visitor = browser(app)

    await visitor.signIn(await given.localPrincipal({ roles: ['computer.read'] }))
    await visitor.session()

    expect((await visitor.call(listTasks)).statusCode).toBe(200)
    expect((await visitor.call(listLocalPrincipals)).json()).toMatchObject({ requiredRole: 'admin.manage' })
  })

  test('signing in without any role is refused', async () => {
    const visitor = browser(app)

    const refused = await visitor.signIn(await given.localPrincipal({ roles: [] }))

    expect(refused.json()).toMatchObject({ status: 403, code: 'RoleRequired' })
    expect(visitor.cookies.size).toBe(0)
  })

  test('signing in and changes during the session are audited under the principal', async () => {
    const { id, clientId, secret } = await administrator()
    const visitor = browser(app)
    await visitor.signIn({ clientId, secret })

    const { id: createdId } = (await visitor.call(createLocalPrincipal, { body: newPrincipal })).json<{ id: number }>()
    await visitor.send({ method: 'DELETE', url: '/admin/session', headers: { 'x-csrf-token': 'wrong' } })

    const { body } = await as('admin.manage').call(listAuditEntries, { query: { principalId: id } })
    expect(body.items.map(({ operation, target }) => ({ operation, target }))).toEqual([
      { operation: 'createLocalPrincipal', target: `/api/admin/local-principals/${createdId}` },
      { operation: 'signIn', target: '/admin/session' },
    ])
    expect(JSON.stringify(body)).not.toContain(secret)
  })
})
