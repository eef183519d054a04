import { createPublicKey, type JsonWebKey } from 'node:crypto'
import { importJWK, SignJWT, UnsecuredJWT } from 'jose'
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { listAuditEntries } from '../../src/features/audit/api/list-audit-entries.ts'
import { createGroup } from '../../src/features/groups/api/create-group.ts'
import { deletePrincipal } from '../../src/features/principals/api/delete-principal.ts'
import { whoAmI } from '../../src/features/service/api/who-am-i.ts'
import { throughProvider } from '../web/provider-flow.ts'
import { caller } from '../world/caller.ts'
import { apiAudience, basic, program, programCallback, startIdentityProvider } from '../world/identity-provider.ts'
import { maxWaitingRequests } from '../world/lane-queue.ts'
import { openWorld } from '../world/open-world.ts'

const provider = await startIdentityProvider({ pages: 'http://localhost' })
afterAll(() => provider.close())
const { app, as, database, given, withToken } = await openWorld({
  configuration: { identityProviders: [provider.settings] },
})
const { issuer } = provider
const report = await given.identityPrincipal({
  subjectType: 'client',
  subjectId: program.clientId,
  issuer,
  roles: ['group.read'],
})
const ada = await given.identityPrincipal({ subjectId: 'ada', issuer, displayName: 'Ada', roles: ['group.write'] })

type Claims = Record<string, unknown>
const valid = (): Claims => ({
  iss: issuer,
  aud: apiAudience,
  sub: 'ada',
  client_id: program.clientId,
  exp: Math.floor(Date.now() / 1000) + 600,
})

/** A token with these claims, signed with the key of the provider. */
async function signed(claims: Claims, header: Claims = {}): Promise<string> {
  const { kid = '', alg = '' } = provider.signingKey
  return new SignJWT({ ...valid(), ...claims })
    .setProtectedHeader({ alg, kid, typ: 'at+jwt', ...header })
    .sign(await importJWK(provider.signingKey))
}

const statusWith = async (token: string) => (await withToken(token).call(whoAmI)).status

/** A token that the program got for its user. */
async function userToken(): Promise<string> {
  const query = { client_id: program.clientId, redirect_uri: programCallback, response_type: 'code' }
  const verifier = 'v'.repeat(43)
  const challenge = Buffer.from(await crypto.subtle.digest('SHA-256', Buffer.from(verifier))).toString('base64url')
  const proof = { code_challenge: challenge, code_challenge_method: 'S256' }
  const asked = new URLSearchParams({ ...query, ...proof, scope: 'openid api', resource: apiAudience })
  const back = await throughProvider(issuer, `${issuer}/auth?${asked}`)
  const response = await fetch(`${issuer}/token`, {
    method: 'POST',
    headers: { authorization: basic(program) },
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      code: back.searchParams.get('code') ?? '',
      redirect_uri: programCallback,
      code_verifier: verifier,
      resource: apiAudience,
    }),
  })
  return ((await response.json()) as { access_token: string }).access_token
}

describe('a valid access token of the provider', () => {
  test('a known client can call the API with a token that the provider issued to it', async () => {
    const { body } = await withToken(await provider.programToken()).call(whoAmI)

    expect(body).toMatchObject({
      principalId: report.id,
      kind: 'client',
      name: program.clientId,
      roles: ['group.read'],
    })
    expect(new Date(body.tokenExpiresAtUtc).getTime()).toBeGreaterThan(Date.now())
  })

  test('a program can call the API for a known user, with the roles of the user', async () => {
    const parent = await given.group()
    const client = withToken(await userToken())

    const { body } = await client.call(createGroup, {
      body: { name: 'Tills', type: 'ConfigurationGroups', parentId: parent.id, description: 'created by a user' },
    })

    const audited = await as('admin.manage').call(listAuditEntries, { query: { principalId: ada.id } })
    expect(audited.body.items[0]).toMatchObject({ principalName: 'Ada', target: `/api/group/${body.id}` })
    expect((await client.call(whoAmI)).body).toMatchObject({ principalId: ada.id, kind: 'user' })
  })

  test('a client with a service account can call the API if the configuration of the provider allows it', async () => {
    const subjectId = crypto.randomUUID()
    const account = await given.identityPrincipal({ subjectType: 'client', subjectId, issuer })
    const token = await signed({ sub: subjectId, client_id: undefined, azp: program.clientId })
    const node = await nodeWith({ ...provider.settings, serviceAccounts: true })

    const { body } = await caller(node, token).call(whoAmI)

    expect(body).toMatchObject({ principalId: account.id, kind: 'client' })
    expect(await statusWith(token)).toBe(401)
  })

  test('a token of the generic type, and one with a clock skew of half a minute, are accepted', async () => {
    const now = Math.floor(Date.now() / 1000)

    expect(await statusWith(await signed({}, { typ: 'JWT' }))).toBe(200)
    expect(await statusWith(await signed({}, { typ: undefined }))).toBe(200)
    expect(await statusWith(await signed({ exp: now - 20, nbf: now + 20 }))).toBe(200)
  })

  test('many requests at once do not queue for the connections of all principals', async () => {
    const token = await signed({})
    await statusWith(token)
    const statuses: number[] = []

    const waiting = await maxWaitingRequests(database.lanes.signIn, () =>
      Promise.all(Array.from({ length: 60 }, async () => statuses.push(await statusWith(token)))),
    )

    expect(new Set(statuses)).toEqual(new Set([200]))
    expect(waiting).toBeLessThan(5)
  })
})

describe('an invalid access token of the provider', () => {
  const seconds = () => Math.floor(Date.now() / 1000)

  test('a token that the provider issued for another API is refused', async () => {
    expect(await statusWith(await provider.programToken('urn:another:api'))).toBe(401)
  })

  test.each<[string, () => Claims, Claims?]>([
    ['with the audience of an ID token', () => ({ aud: provider.settings.clientId })],
    ['without an audience', () => ({ aud: undefined })],
    ['of another issuer', () => ({ iss: 'https://evil.example.org' })],
    ['of an issuer that is nearly right', () => ({ iss: `${issuer}/` })],
    ['that has expired', () => ({ exp: seconds() - 60 })],
    ['that never expires', () => ({ exp: undefined })],
    ['that is not valid yet', () => ({ nbf: seconds() + 60 })],
    ['without a subject', () => ({ sub: undefined })],
    ['of an unknown user', () => ({ sub: 'nobody' })],
    ['of a user who has the id of a known client', () => ({ sub: program.clientId, client_id: 'other' })],
    ['of a client that has the id of a known user', () => ({ client_id: 'ada' })],
    ['that is bound to a key', () => ({ cnf: { jkt: 'thumbprint' } })],
    ['of the type of logout tokens', () => ({}), { typ: 'logout+jwt' }],
    ['with an unknown key', () => ({}), { kid: 'unknown' }],
  ])('a token of a provider %s is refused', async (_, claims, header) => {
    const token = await signed(claims(), header)

    const refused = await withToken(token).call(whoAmI)

    expect(refused).toMatchObject({ status: 401, problem: 'Unauthorized' })
    expect(refused.headers['www-authenticate']).toContain('error="invalid_token"')
  })

  test('a token without a signature, and one that is signed with the public key as a shared secret, are refused', async () => {
    const { d: _, ...publicJwk } = provider.signingKey
    const pem = createPublicKey({ key: publicJwk as JsonWebKey, format: 'jwk' }).export({ type: 'spki', format: 'pem' })
    const { kid = '' } = provider.signingKey
    const forgeries = [
      new UnsecuredJWT(valid()).encode(),
      await new SignJWT(valid()).setProtectedHeader({ alg: 'HS256', kid, typ: 'at+jwt' }).sign(Buffer.from(pem)),
      await new SignJWT(valid())
        .setProtectedHeader({ alg: 'HS256', kid, typ: 'at+jwt' })
        .sign(Buffer.from(JSON.stringify(publicJwk))),
    ]

    for (const forged of forgeries) expect(await statusWith(forged)).toBe(401)
  })

  test('a token that another installation signed with the issuer of the provider is refused', async () => {
    const own = await app.services.tokens.issue(report.id)
    const [header, , signature] = own.split('.')
    const claims = Buffer.from(JSON.stringify(valid())).toString('base64url')

    expect(await statusWith([header, claims, signature].join('.'))).toBe(401)
  })

  test('the token of a deleted principal is refused at once', async () => {
    const { id } = await given.identityPrincipal({ subjectId: 'leaving', issuer })
    const token = await signed({ sub: 'leaving' })
    const before = await statusWith(token)

    await as('admin.manage').call(deletePrincipal, { params: { id } })

    expect([before, await statusWith(token)]).toEqual([200, 401])
  })

  test('all tokens of a provider without a configured audience are refused', async () => {
    const node = await nodeWith({ ...provider.settings, audience: undefined })

    expect((await caller(node, await provider.programToken()).call(whoAmI)).status).toBe(401)
  })
})

async function nodeWith(settings: typeof provider.settings) {
  const node = await buildApp({
    database,
    configuration: { ...app.services.configuration, identityProviders: [settings] },
  })
  onTestFinished(() => node.http.close())
  return node
}

test('a new key of the provider is accepted and the old one refused without a restart, and invalid tokens cause no requests', async () => {
  const token = await provider.programToken()
  expect(await statusWith(token)).toBe(200)

  await provider.rotateKeys()
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 31_000 })
  onTestFinished(() => void vi.useRealTimers())
  const renewed = await provider.programToken()
  const before = provider.keyRequests

  expect([await statusWith(renewed), await statusWith(token)]).toEqual([200, 401])
  for (let attempt = 0; attempt < 10; attempt++)
    expect(await statusWith(await signed({}, { kid: 'made up' }))).toBe(401)
  expect(provider.keyRequests - before).toBe(1)
})

test('while a provider is unreachable, its tokens are answered with 503, and all others as usual', async () => {
  const other = await startIdentityProvider({ pages: 'http://localhost' })
  const node = await nodeWith(other.settings)
  onTestFinished(() => other.close())
  const token = await other.programToken()
  other.isDown = true

  const refused = await caller(node, token).call(whoAmI)

  expect(refused).toMatchObject({ status: 503, problem: 'IdentityProviderUnavailable', raw: { provider: 'corporate' } })
  expect(refused.headers['retry-after']).toBe('5')
  const { id } = await given.localPrincipal()
  expect((await caller(node, await app.services.tokens.issue(id)).call(whoAmI)).status).toBe(200)
  expect((await caller(node, await provider.programToken()).call(whoAmI)).status).toBe(401)
})
