import { createHash } from 'node:crypto'
import Fastify from 'fastify'
import { describe, expect, test } from 'vitest'
import { getComputer } from '../../src/features/computers/api/get-computer.ts'
import { updateComputer } from '../../src/features/computers/api/update-computer.ts'
import { deleteLocalPrincipal } from '../../src/features/principals/api/delete-local-principal.ts'
import { getLocalPrincipal } from '../../src/features/principals/api/get-local-principal.ts'
import { setLocalPrincipalRevoked } from '../../src/features/principals/api/set-local-principal-revoked.ts'
import { updateLocalPrincipal } from '../../src/features/principals/api/update-local-principal.ts'
import { createTag } from '../../src/features/tags/api/create-tag.ts'
import { getTag } from '../../src/features/tags/api/get-tag.ts'
import { updateTag } from '../../src/features/tags/api/update-tag.ts'
import { getComputerVariable } from '../../src/features/variables/api/computers/get-computer-variable.ts'
import { setComputerVariable } from '../../src/features/variables/api/computers/set-computer-variable.ts'
import { serveDocument } from '../../src/platform/openapi/serve.ts'
import { openWorld } from '../world/open-world.ts'
import { tableVersions } from '../world/tables.ts'

const { as, db, given } = await openWorld()
const admin = as('admin.manage')

async function versioned() {
  const { id } = await given.localPrincipal()
  const read = () => admin.call(getLocalPrincipal, { params: { id } })
  const update = (description: string, ifMatch?: string) =>
    admin.call(updateLocalPrincipal, {
      params: { id },
      body: { description, roles: [], expiresAtUtc: null },
      headers: ifMatch === undefined ? {} : { 'if-match': ifMatch },
    })
  return { id, read, update, etag: (await read()).headers.etag ?? '' }
}

describe('a change with If-Match', () => {
  test('a change with If-Match is made if the version is current, and the answer contains the new version', async () => {
    const { etag, read, update } = await versioned()

    const updated = await update('one', etag)

    expect(updated.status).toBe(200)
    expect(updated.headers.etag).not.toBe(etag)
    expect((await read()).headers.etag).toBe(updated.headers.etag)
  })

  test('a change with If-Match is refused with 412 if the resource has changed, and changes nothing', async () => {
    const { etag, update } = await versioned()
    await update('one')
    const before = await tableVersions(db)

    const refused = await update('two', etag)

    expect(refused).toMatchObject({ status: 412, problem: 'PreconditionFailed' })
    expect(await tableVersions(db)).toEqual(before)
  })

  test('If-Match may be * or list several versions', async () => {
    const { etag, update } = await versioned()

    expect((await update('one', `"other", ${etag}`)).status).toBe(200)
    expect((await update('two', '*')).status).toBe(200)
  })

  test('If-Match is checked for PATCH and DELETE as well', async () => {
    const { id, etag, update } = await versioned()
    await update('one')
    const headers = { 'if-match': etag }

    const revoked = await admin.call(setLocalPrincipalRevoked, { params: { id }, body: { isRevoked: true }, headers })
    const deleted = await admin.call(deleteLocalPrincipal, { params: { id }, headers })

    expect([revoked.status, deleted.status]).toEqual([412, 412])
  })

  test('a change with If-Match of a missing resource is answered with 404', async () => {
    const refused = await admin.call(deleteLocalPrincipal, { params: { id: 999_999 }, headers: { 'if-match': '"x"' } })

    expect(refused).toMatchObject({ status: 404, problem: 'PrincipalNotFound' })
  })

  test('of twenty concurrent changes with the same version in If-Match, one is made', async () => {
    const { etag, update } = await versioned()

    const results = await Promise.all(Array.from({ length: 20 }, (_, index) => update(`writer ${index}`, etag)))

    const statuses = results.map(({ status }) => status).sort()
    expect(statuses).toEqual([200, ...Array(19).fill(412)])
  })
})

test('an unchanged resource is not sent again to a client that has its version', async () => {
  const editor = as('package.read', 'package.write')
  const { id } = (await editor.call(createTag, { body: { designation: 'versioned' } })).body
  const etag = (await editor.call(getTag, { params: { id } })).headers.etag ?? ''
  const read = () => editor.call(getTag, { params: { id }, headers: { 'if-none-match': etag } })

  const unchanged = await read()
  await editor.call(updateTag, { params: { id }, body: { designation: 'changed' } })
  const changed = await read()

  expect(unchanged).toMatchObject({ status: 304, raw: undefined, headers: { etag } })
  expect(changed.status).toBe(200)
})

test('the version does not cover what changes without an operation, such as the last contact of a computer', async () => {
  const { id } = await given.computer()
  const read = (headers = {}) => as('computer.read').call(getComputer, { params: { id }, headers })
  const etag = (await read()).headers.etag ?? ''
  await db.insertInto('computer_contacts').values({ computer_id: id, last_seen_at: new Date() }).execute()

  const seen = await read({ 'if-none-match': etag })
  const patched = await as('computer.read', 'computer.write').call(updateComputer, {
    params: { id },
    body: { inventoryId: 'INV-1' },
    headers: { 'if-match': etag },
  })

  expect(seen).toMatchObject({ status: 200, headers: { etag } })
  expect(seen.body.lastSeenUtc).not.toBeNull()
  expect(patched.status).toBe(200)
  expect(patched.headers.etag).toMatch(/^"/)
  expect(patched.headers.etag).not.toBe(etag)
})

test('a caller who may write and not read cannot try out which value a resource has, because no ETag can be computed', async () => {
  const params = { id: (await given.computer()).id, varId: (await given.variable()).id }
  const writer = as('computer.write')
  await writer.call(setComputerVariable, { params, body: { value: '4711' } })
  // The writer knows everything but the value, and there are only 10,000 of them.
  const { raw } = await as('computer.read').call(getComputerVariable, { params })
  const hash = createHash('sha256').update(JSON.stringify(raw)).digest('base64url')

  const tried = await writer.call(setComputerVariable, {
    params,
    query: { dryRun: true },
    body: { value: '0' },
    headers: { 'if-match': `"${hash.slice(0, 22)}"` },
  })

  expect(raw).toMatchObject({ value: '4711' })
  expect(tried.problem).toBe('PreconditionFailed')
})

test('a document costs its requests neither a hash nor a copy of it: anybody may ask for it, as often as they like', async () => {
  const app = Fastify()
  const sent: unknown[] = []
  app.addHook('onSend', async (_request, _reply, payload) => void sent.push(payload))
  const content = { text: 'x'.repeat(16 * 1024 * 1024) }
  serveDocument(app, '/document', () => content)
  serveDocument(app, '/small-document', () => ({ text: 'x' }))
  for (let reads = 0; reads < 2; reads++) await app.inject('/document')
  const ask = async (url: string) => {
    for (let count = 0; count < 10; count++) {
      const { statusCode } = await app.inject({ url, headers: { 'if-none-match': '*' } })
      expect(statusCode).toBe(304)
    }
  }
  await ask('/small-document')
  const text = JSON.stringify(content)

  const hashing = await processorTimeOf(() => createHash('sha256').update(text).digest())
  const small = await processorTimeOf(() => ask('/small-document'))
  const large = await processorTimeOf(() => ask('/document'))

  expect(sent[0]).toBeInstanceOf(Buffer)
  expect(sent[1]).toBe(sent[0])
  // A hash for each request would be ten.
  expect(large - small).toBeLessThan(5 * hashing)
})

async function processorTimeOf(run: () => unknown): Promise<number> {
  const before = process.threadCpuUsage()
  await run()
  const { user, system } = process.threadCpuUsage(before)
  return user + system
}
