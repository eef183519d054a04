import { generateKeyPair, SignJWT, UnsecuredJWT } from 'jose'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { setLocalPrincipalRevoked } from '../../src/features/principals/api/set-local-principal-revoked.ts'
import { whoAmI } from '../../src/features/service/api/who-am-i.ts'
import { caller } from '../world/caller.ts'
import { openWorld } from '../world/open-world.ts'

const world = await openWorld()
const { app, as, database, db, given, withToken } = world

const claimsOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
const headerOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString())

describe('an invalid access token', () => {
  test.each([
    ['no scheme', 'abc'],
    ['another scheme', 'Basic YTpi'],
    ['an empty token', 'Bearer '],
    ['garbage', 'Bearer a.b.c'],
    ['two tokens', 'Bearer a b'],
  ])('an Authorization header with %s is refused', async (_, authorization) => {
    const refused = await withToken(undefined).call(whoAmI, { headers: { authorization } })

    expect(refused).toMatchObject({ status: 401, problem: 'Unauthorized' })
    expect(refused.headers['www-authenticate']).toContain('error="invalid_token"')
  })

  test('an access token whose content was changed is refused', async () => {
    const { id } = await given.localPrincipal()
    const [header, , signature] = (await app.services.tokens.issue(id)).split('.')
    const claims = { ...claimsOf(await app.services.tokens.issue(id)), sub: '1' }
    const forged = [header, Buffer.from(JSON.stringify(claims)).toString('base64url'), signature].join('.')

    expect((await withToken(forged).call(whoAmI)).status).toBe(401)
  })

  test('an access token without a signature, or signed with another key or algorithm, is refused', async () => {
    const { id } = await given.localPrincipal()
    const genuine = await app.services.tokens.issue(id)
    const claims = claimsOf(genuine)
    const { kid } = headerOf(genuine)
    const otherKeys = await generateKeyPair('EdDSA')
    const forgeries = [
      new UnsecuredJWT(claims).encode(),
      await new SignJWT(claims).setProtectedHeader({ alg: 'EdDSA', typ: 'at+jwt', kid }).sign(otherKeys.privateKey),
      await new SignJWT(claims).setProtectedHeader({ alg: 'HS256', typ: 'at+jwt', kid }).sign(Buffer.alloc(32)),
      await new SignJWT(claims)
        .setProtectedHeader({ alg: 'EdDSA', typ: 'at+jwt', kid: crypto.randomUUID() })
        .sign(otherKeys.privateKey),
    ]

    for (const forged of forgeries) expect((await withToken(forged).call(whoAmI)).status).toBe(401)
  })

  test('an access token is refused after its expiry, even if it was accepted before', async () => {
    const short = await buildApp({
      database,
      configuration: { ...app.services.configuration, tokenLifetimeSeconds: 60 },
    })
    const { id } = await given.localPrincipal()
    const client = caller(short, await short.services.tokens.issue(id))

    const early = await client.call(whoAmI)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 })
    const late = await client.call(whoAmI).finally(() => vi.useRealTimers())

    expect([early.status, late.status]).toEqual([200, 401])
    await short.http.close()
  })
})

test('a change on one node takes effect with the next request on every other node', async () => {
  const otherNode = await buildApp({ database, configuration: app.services.configuration })
  const { id } = await given.localPrincipal()
  const client = caller(otherNode, await app.services.tokens.issue(id))
  const before = await client.call(whoAmI)

  await as('admin.manage').call(setLocalPrincipalRevoked, { params: { id }, body: { isRevoked: true } })

  const after = await client.call(whoAmI)
  expect([before.status, after.status]).toEqual([200, 401])
  await otherNode.http.close()
})

test('each of many concurrent requests is checked against the roles at the time of its arrival', async () => {
  const { id } = await given.localPrincipal()
  const client = withToken(await app.services.tokens.issue(id))

  for (let round = 0; round < 5; round++) {
    const isRevoked = round % 2 === 0
    const earlier = Promise.all(Array.from({ length: 20 }, () => client.call(whoAmI)))
    await as('admin.manage').call(setLocalPrincipalRevoked, { params: { id }, body: { isRevoked } })
    const later = await Promise.all(Array.from({ length: 20 }, () => client.call(whoAmI)))
    await earlier
    expect(new Set(later.map(({ status }) => status))).toEqual(new Set([isRevoked ? 401 : 200]))
  }
})

describe('signing keys', () => {
  test('signing keys are rotated after thirty days, and tokens of the old and the new key are valid on every node', async () => {
    const { id } = await given.localPrincipal()
    const otherNode = await buildApp({ database, configuration: app.services.configuration })
    const oldToken = await app.services.tokens.issue(id)
    await sql`update signing_keys set created_at = now() - interval '31 days'`.execute(db)

    await app.signingKeys.rotate()
    const newToken = await app.services.tokens.issue(id)

    expect(headerOf(newToken).kid).not.toBe(headerOf(oldToken).kid)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 1_050 })
    onTestFinished(() => void vi.useRealTimers())
    for (const token of [oldToken, newToken])
      for (const node of [app, otherNode]) expect((await caller(node, token).call(whoAmI)).status).toBe(200)
    await otherNode.http.close()
  })

  test('signing keys are deleted once all tokens that they signed have expired', async () => {
    await sql`update signing_keys set created_at = created_at - interval '31 days'`.execute(db)

    await app.signingKeys.rotate()
    const kept = await db.selectFrom('signing_keys').select('id').execute()
    await sql`update signing_keys set created_at = created_at - interval '3 days'`.execute(db)
    await app.signingKeys.rotate()
    const left = await db.selectFrom('signing_keys').select('id').execute()

    expect(kept.length).toBeGreaterThan(1)
    expect(left).toHaveLength(1)
  })

  test('several nodes that start at once on an empty database create one signing key', async () => {
    await db.deleteFrom('signing_keys').execute()

    const nodes = await Promise.all(
      [1, 2, 3, 4].map(() => buildApp({ database, configuration: app.services.configuration })),
    )

    expect(await db.selectFrom('signing_keys').select('id').execute()).toHaveLength(1)
    await Promise.all(nodes.map((node) => node.http.close()))
  })
})
