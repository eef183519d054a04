import { describe, expect, test } from 'vitest'
import { setLocalPrincipalRevoked } from '../../src/features/principals/api/set-local-principal-revoked.ts'
import { requestToken } from '../../src/features/principals/api/token/request-token.ts'
import { whoAmI } from '../../src/features/service/api/who-am-i.ts'
import { openWorld } from '../world/open-world.ts'

const { as, given, withToken } = await openWorld()
const anybody = withToken(undefined)
const grant = { grant_type: 'client_credentials' }
const basic = (id: string, secret: string) => ({
  authorization: `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString('base64')}`,
})

describe('a token', () => {
  test('client id and secret in the form get a token that is valid for the API', async () => {
    const { id, clientId, secret } = await given.localPrincipal({ roles: ['pm.read'] })

    const token = await anybody.call(requestToken, { body: { ...grant, client_id: clientId, client_secret: secret } })

    const me = await withToken(token.body.access_token).call(whoAmI)
    expect(token.body).toMatchObject({ token_type: 'Bearer', expires_in: 3600 })
    expect(token.headers['cache-control']).toBe('no-store')
    expect(me.body).toMatchObject({ principalId: id, kind: 'local', name: clientId, roles: ['pm.read'] })
    const secondsLeft = (Date.parse(me.body.tokenExpiresAtUtc) - Date.now()) / 1000
    expect(secondsLeft).toBeGreaterThan(3590)
    expect(secondsLeft).toBeLessThanOrEqual(3601)
  })

  test('client id and secret in HTTP Basic get a token', async () => {
    const { clientId, secret } = await given.localPrincipal()

    const token = await anybody.call(requestToken, { body: grant, headers: basic(clientId, secret) })

    expect(token.status).toBe(200)
  })

  test('a token is a JSON Web Token that contains the principal and none of its roles', async () => {
    const { id, clientId, secret } = await given.localPrincipal({ roles: ['pm.read'] })

    const token = await anybody.call(requestToken, { body: { ...grant, client_id: clientId, client_secret: secret } })

    const [header, claims] = token.body.access_token
      .split('.')
      .slice(0, 2)
      .map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()))
    expect(header).toMatchObject({ alg: 'EdDSA', typ: 'at+jwt' })
    expect(claims.sub).toBe(String(id))
    expect(JSON.stringify(claims)).not.toContain('pm.read')
  })
})

describe('errors of the token endpoint', () => {
  const form = (parameters: string) => ({
    method: 'POST' as const,
    url: '/api/auth/token',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: parameters,
  })

  test.each([
    ['no parameters at all', '', 400, 'invalid_request'],
    ['no grant type', 'client_id=a&client_secret=b', 400, 'invalid_request'],
    [
      'a repeated parameter',
      'grant_type=client_credentials&client_id=a&client_id=b&client_secret=c',
      400,
      'invalid_request',
    ],
    ['no client', 'grant_type=client_credentials', 400, 'invalid_request'],
    ['no secret', 'grant_type=client_credentials&client_id=a', 400, 'invalid_request'],
    ['another grant type', 'grant_type=password&client_id=a&client_secret=b', 400, 'unsupported_grant_type'],
    ['an unknown client', 'grant_type=client_credentials&client_id=a&client_secret=b', 401, 'invalid_client'],
  ])('a token request with %s gets an error in the format of RFC 6749', async (_, parameters, status, error) => {
    const refused = await anybody.send(form(parameters))

    expect(refused).toMatchObject({ status, raw: { error, error_description: expect.any(String) } })
    expect(refused.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(refused.headers['cache-control']).toBe('no-store')
  })

  test('a token request with HTTP Basic and a secret in the form is refused', async () => {
    const { clientId, secret } = await given.localPrincipal()

    const refused = await anybody.call(requestToken, {
      body: { ...grant, client_id: clientId, client_secret: secret },
      headers: basic(clientId, secret),
    })

    expect(refused).toMatchObject({ status: 400, raw: { error: 'invalid_request' } })
  })

  test('a token request with malformed Basic credentials is refused', async () => {
    for (const value of [
      '',
      '%%%',
      'bm8tY29sb24',
      Buffer.from('a%zz:b').toString('base64'),
      Buffer.from(':b').toString('base64'),
    ]) {
      const refused = await anybody.call(requestToken, { body: grant, headers: { authorization: `Basic ${value}` } })
      expect(refused).toMatchObject({ status: 401, raw: { error: 'invalid_client' } })
    }
  })

  test('an unknown client and a wrong secret get the same answer', async () => {
    const { clientId } = await given.localPrincipal()
    const ask = (client_id: string) =>
      anybody.call(requestToken, { body: { ...grant, client_id, client_secret: 'wrong' } })

    const [unknown, wrong] = [await ask('nobody'), await ask(clientId)]

    expect(unknown).toMatchObject({ status: 401, raw: { error: 'invalid_client' } })
    expect(wrong.raw).toEqual(unknown.raw)
    expect(wrong.headers['www-authenticate']).toBe(unknown.headers['www-authenticate'])
    expect(unknown.headers['www-authenticate']).toContain('Basic')
  })

  test('a revoked or expired principal gets no token', async () => {
    const revoked = await given.localPrincipal()
    await as('admin.manage').call(setLocalPrincipalRevoked, { params: { id: revoked.id }, body: { isRevoked: true } })
    const expired = await given.localPrincipal({ expiresAt: new Date(Date.now() - 1000) })

    for (const { clientId, secret } of [revoked, expired]) {
      const refused = await anybody.call(requestToken, {
        body: { ...grant, client_id: clientId, client_secret: secret },
      })
      expect(refused).toMatchObject({ status: 401, raw: { error: 'invalid_client' } })
    }
  })
})

test('unknown parameters of a token request are ignored, as RFC 6749 demands', async () => {
  const { clientId, secret } = await given.localPrincipal()
  const body = { ...grant, client_id: clientId, client_secret: secret, scope: 'computer.read', audience: 'x' }

  const token = await anybody.call(requestToken, { body })

  expect(token.status).toBe(200)
})

test('a JSON body is not a token request', async () => {
  const refused = await anybody.send({ method: 'POST', url: '/api/auth/token', payload: grant })

  expect(refused.status).toBe(415)
})
