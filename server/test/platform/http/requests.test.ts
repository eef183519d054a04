import { describe, expect, test } from 'vitest'
import { listRoles } from '../../../src/features/principals/api/list-roles.ts'
import { whoAmI } from '../../../src/features/service/api/who-am-i.ts'
import { openWorld } from '../../world/open-world.ts'

const { as, withToken } = await openWorld()
const anybody = withToken(undefined)
const admin = as('admin.manage')
const post = (payload: string | Buffer, contentType = 'application/json') =>
  admin.send({ method: 'POST', url: '/api/admin/local-principals', headers: { 'content-type': contentType }, payload })

test('an unknown URL is answered with a 404 problem, even below a known one', async () => {
  for (const url of ['/computer', '/api', '/api/nothing', '/api/admin/roles/x', '/administrator', '/API/admin/roles']) {
    const missing = await anybody.send({ method: 'GET', url })
    expect(missing).toMatchObject({ status: 404, raw: { code: 'NotFound', status: 404, message: expect.any(String) } })
    expect(missing.headers['content-type']).toBe('application/problem+json; charset=utf-8')
  }
})

test('operations that were removed from the contract do not exist', async () => {
  for (const url of ['/api/computer/1/batteries', '/api/computer/1/disks', '/api/computer/1/services'])
    expect((await admin.send({ method: 'GET', url })).status).toBe(404)
})

test('a method that no operation of a path has is refused before the body is read, however the path is written', async () => {
  const put = (url: string) =>
    anybody.send({ method: 'PUT', url, headers: { 'content-type': 'application/json' }, payload: '{' })

  for (const url of ['/api/admin/roles', '/api/admin/roles?page=1', '/api/%61dmin/roles', '/api/tags/1', '/api/tags/'])
    expect(await put(url)).toMatchObject({ status: 405, problem: 'MethodNotAllowed' })
  for (const url of ['/api/admin/roles/', `/api/tags/${'1'.repeat(256)}`]) expect((await put(url)).status).not.toBe(405)
})

test('HEAD answers as GET does, without the body', async () => {
  const head = await admin.send({ method: 'HEAD', url: listRoles.path })

  expect(head).toMatchObject({ status: 200, raw: undefined })
  expect(Number(head.headers['content-length'])).toBeGreaterThan(100)
})

describe('the api-version', () => {
  test.each(['1', '1.0'])('the api-version %s is accepted as a header and as a query parameter', async (version) => {
    const header = await admin.call(whoAmI, { headers: { 'api-version': version } })
    const query = await admin.send({ method: 'GET', url: `${whoAmI.path}?api-version=${version}` })

    expect([header.status, query.status]).toEqual([200, 200])
  })

  test('an unsupported api-version in the query is refused', async () => {
    const refused = await admin.send({ method: 'GET', url: `${whoAmI.path}?api-version=0.6` })

    expect(refused).toMatchObject({ status: 400, problem: 'UnsupportedApiVersion' })
  })
})

describe('the request id', () => {
  test('every request has an id of our own in the header and in the problem, whatever the client sends', async () => {
    const ids = new Set<string | undefined>()
    for (const given of [undefined, 'my-id:1', '0c5f8f4e-5f0f-4a43-9a51-6e2c7d6a9a10', '{"a":1}', 'x'.repeat(129)]) {
      const headers: Record<string, string> = given === undefined ? {} : { 'x-request-id': given }
      const refused = await anybody.call(whoAmI, { headers })
      const id = refused.headers['x-request-id']
      expect(id).toMatch(/^[\da-f-]{36}$/)
      expect(id).not.toBe(given)
      expect(refused.raw).toMatchObject({ requestId: id })
      ids.add(id)
    }
    expect(ids.size).toBe(5)
  })
})

describe('a body', () => {
  test.each([
    ['is missing', ''],
    ['is not JSON', '{"description":'],
    ['is not an object', '[]'],
    ['is null', 'null'],
    ['is not UTF-8', Buffer.from([0x22, 0xff, 0xfe, 0x22])],
    ['sets a prototype', '{"__proto__":{"admin":true}}'],
  ])('a body that %s is refused with 400', async (_, payload) => {
    expect(await post(payload)).toMatchObject({ status: 400, problem: 'InvalidRequest' })
  })

  test.each([
    ['a NUL character', '{"description":"a\\u0000b","roles":[],"expiresAtUtc":null}'],
    ['an unpaired surrogate', '{"description":"a\\ud800b","roles":[],"expiresAtUtc":null}'],
  ])(
    'a body with %s, which the database cannot store, is refused with the name of the property',
    async (_, payload) => {
      expect(await post(payload)).toMatchObject({ status: 400, raw: { errors: [{ name: 'description' }] } })
    },
  )

  test('a body with a complete surrogate pair is stored unchanged', async () => {
    const stored = await post('{"description":"\\ud83d\\ude80","roles":[],"expiresAtUtc":null}')

    expect(stored).toMatchObject({ status: 200, raw: { description: '🚀' } })
  })

  test('a body with a content type other than JSON is refused with 415', async () => {
    for (const type of ['text/plain', 'application/xml', 'application/x-www-form-urlencoded'])
      expect(await post('a=b', type)).toMatchObject({ status: 415, problem: 'UnsupportedMediaType' })
  })

  test('a body over the limit is refused with 413', async () => {
    const refused = await post(JSON.stringify({ description: 'x'.repeat(1_100_000) }))

    expect(refused).toMatchObject({ status: 413, problem: 'PayloadTooLarge' })
  })

  test('values in a body are not converted to the required type', async () => {
    for (const description of [123, true, {}]) {
      const refused = await post(JSON.stringify({ description, roles: [], expiresAtUtc: null }))
      expect(refused).toMatchObject({ status: 400, raw: { errors: [{ name: 'description' }] } })
    }
  })
})

test('the token is checked before the body is read', async () => {
  const refused = await anybody.send({
    method: 'POST',
    url: '/api/admin/local-principals',
    headers: { 'content-type': 'application/json' },
    payload: '{',
  })

  expect(refused.status).toBe(401)
})
