import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { listAuditEntries } from '../../src/features/audit/api/list-audit-entries.ts'
import { auditEndedRepeats } from '../../src/features/audit/jobs/audit-ended-repeats.ts'
import { verifyAuditTrail } from '../../src/features/audit/verify-audit-trail.ts'
import { openWorld } from '../world/open-world.ts'

const { app, as, db, given, withToken } = await openWorld({ configuration: { signInRateLimit: 0 } })
const admin = as('admin.manage')

type Credentials = { clientId: string; secret: string }

const requestToken = (credentials: Credentials, remoteAddress = '192.0.2.1') =>
  withToken(undefined).send({
    method: 'POST',
    url: '/api/auth/token',
    remoteAddress,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: credentials.clientId,
      client_secret: credentials.secret,
    }).toString(),
  })

const signIn = ({ clientId, secret }: Credentials, remoteAddress = '192.0.2.1') =>
  withToken(undefined).send({
    method: 'POST',
    url: '/admin/session',
    remoteAddress,
    payload: { clientId, clientSecret: secret },
  })

/** The newest entries of these operations, newest first. */
async function listEntries(operation: 'requestToken' | 'signIn') {
  const { body } = await admin.call(listAuditEntries, { query: { operation, top: 100 } })
  return body.items.map(({ principalId, principalName, request, status }) => ({
    principalId,
    principalName,
    request: request as { address?: string; client?: string; repeats?: number },
    status,
  }))
}

/** Makes all counts an hour old. */
const endHour = () => sql`update repeated_requests set since = since - interval '61 minutes'`.execute(db)

beforeEach(async () => {
  await sql`delete from repeated_requests`.execute(db)
})

test('a token request is audited with principal and address, and repeated ones of the hour are counted', async () => {
  const client = await given.localPrincipal({ roles: ['pm.read'] })

  for (let request = 0; request < 5; request++) await requestToken(client)
  await requestToken(client, '192.0.2.2')
  const first = (await listEntries('requestToken')).slice(0, 2)
  await endHour()
  await requestToken(client)
  const [next] = await listEntries('requestToken')

  const entry = { principalId: client.id, principalName: client.clientId, status: 200 }
  expect(first).toEqual([
    { ...entry, request: { address: '192.0.2.2' } },
    { ...entry, request: { address: '192.0.2.1' } },
  ])
  expect(next).toEqual({ ...entry, request: { address: '192.0.2.1', repeats: 4 } })
})

test('the number of repeated requests is audited even if no other request follows', async () => {
  const client = await given.localPrincipal()
  for (let request = 0; request < 3; request++) await requestToken({ ...client, secret: 'wrong' })
  const count = async () => (await admin.call(listAuditEntries, { query: { principalId: client.id } })).body.totalCount

  await auditEndedRepeats(db)
  const early = await count()
  await endHour()
  const deleted = await auditEndedRepeats(db)
  const [entry] = await listEntries('requestToken')

  expect(early).toBe(1)
  expect(await count()).toBe(2)
  expect(deleted).toBe(1)
  expect(entry).toMatchObject({ principalId: client.id, status: 401, request: { repeats: 2 } })
  expect((await sql`select from repeated_requests`.execute(db)).rows).toHaveLength(0)
})

describe('a failed attempt', () => {
  test.each([
    ['a token request', 'requestToken' as const, requestToken],
    ['a sign-in', 'signIn' as const, signIn],
  ])('%s with a wrong secret is audited under the principal, without the secret', async (_, operation, attempt) => {
    const client = await given.localPrincipal({ roles: ['admin.manage'] })
    const mistyped = 'a-mistyped-secret-of-somebody'

    const { status } = await attempt({ clientId: client.clientId, secret: mistyped })

    const [entry] = await listEntries(operation)
    expect(status).toBe(401)
    expect(entry).toEqual({
      principalId: client.id,
      principalName: client.clientId,
      request: { address: '192.0.2.1' },
      status: 401,
    })
    expect(JSON.stringify(await listEntries(operation))).not.toContain(mistyped)
  })

  test.each([
    ['a token request', 'requestToken' as const, requestToken],
    ['a sign-in', 'signIn' as const, signIn],
  ])(
    '%s of an unknown client is audited without what was typed, which may be a secret',
    async (_, operation, attempt) => {
      const typed = 'secret-in-the-wrong-field'

      for (const clientId of [typed, typed, 'other']) await attempt({ clientId, secret: 'wrong' })

      const [second, first] = await listEntries(operation)
      for (const entry of [first, second])
        expect(entry).toMatchObject({ principalId: null, principalName: 'unknown client', status: 401 })
      expect(first?.request.client).toMatch(/^[0-9a-f]{8}$/)
      expect(second?.request.client).not.toBe(first?.request.client)
      const { rows } = await sql<{ text: string }>`
      select (select string_agg(e::text, '') from audit_entries e) || (select string_agg(r::text, '') from
        repeated_requests r) as text`.execute(db)
      expect(rows[0]?.text).not.toContain('secret-in-the-wrong-field')
    },
  )

  test('a sign-in of a principal without a role is audited as refused', async () => {
    const client = await given.localPrincipal({ roles: [] })

    await signIn(client)

    expect((await listEntries('signIn'))[0]).toMatchObject({ principalId: client.id, status: 403 })
  })

  test('a flood of different failures adds a thousand entries per hour at most, and none is lost from the counts', async () => {
    const count = async () =>
      (await admin.call(listAuditEntries, { query: { operation: 'requestToken' } })).body.totalCount
    const before = await count()
    const client = await given.localPrincipal()
    // What an attacker with many addresses leaves behind, written at once.
    const flood = (first: number, last: number) =>
      sql`
      select audit_repeated_request(null, 'unknown client', 'requestToken', '/api/auth/token',
        jsonb_build_object('address', '2001:db8::' || n, 'client', n), 401::smallint, '')
      from generate_series(${first}::integer, ${last}::integer) n`.execute(db)
    await flood(1, 1_000)
    const full = await count()

    await flood(1_001, 1_500)
    await requestToken({ ...client, secret: 'wrong' }, '2001:db8::ffff')
    const genuine = await requestToken(client)

    expect(full - before).toBe(1_000)
    // One for all other unknown clients, one for the known client that was attacked, one for its own request.
    expect((await count()) - full).toBe(3)
    expect(genuine.status).toBe(200)
    await endHour()
    await auditEndedRepeats(db)
    const [entry] = (await listEntries('requestToken')).filter(({ request }) => request.repeats !== undefined)
    expect(entry?.request).toEqual({ address: 'many addresses', repeats: 499 })
  })
})

test('a successful sign-in is audited with its address', async () => {
  const client = await given.localPrincipal({ roles: ['admin.manage'] })

  await signIn(client, '192.0.2.9')

  expect((await listEntries('signIn'))[0]).toMatchObject({
    principalId: client.id,
    request: { address: '192.0.2.9' },
    status: 200,
  })
})

test('a hundred concurrent equal requests add one entry, and the chains verify', async () => {
  const client = await given.localPrincipal()

  await Promise.all(Array.from({ length: 100 }, () => requestToken(client)))

  const { rows } = await sql<{ repeats: number }>`select repeats from repeated_requests`.execute(db)
  const { body } = await admin.call(listAuditEntries, { query: { principalId: client.id } })
  expect(body.totalCount).toBe(1)
  expect(rows).toEqual([{ repeats: 99 }])
  expect((await verifyAuditTrail(db)).faults).toEqual([])
  expect(app.services.configuration.tokenRateLimit).toBe(0)
})
