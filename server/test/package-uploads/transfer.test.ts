import { randomBytes } from 'node:crypto'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { createPackageUpload } from '../../src/features/package-uploads/api/create-package-upload.ts'
import { setLocalPrincipalRevoked } from '../../src/features/principals/api/set-local-principal-revoked.ts'
import { bytesType } from '../../src/platform/operation.ts'
import { until } from '../database/embedded-postgres/muster.ts'
import { caller as callerOf } from '../world/caller.ts'
import { addressOf, openUploadWorld, sha256Of } from './upload-world.ts'

const megabyte = 1_048_576
const limits = {
  maxFileBytes: 40 * megabyte,
  maxPrincipalBytes: 100 * megabyte,
  maxTotalBytes: 400 * megabyte,
  hours: 48,
}
const world = await openUploadWorld({ uploads: limits })
const { app, db, begun, find, packager, pathOf, send } = world
const { caller: ada } = await packager()

await app.http.listen({ host: '127.0.0.1', port: 0 })
const { port } = app.http.server.address() as AddressInfo

test('bytes that arrive in several requests are one file with its SHA-256', async () => {
  const content = randomBytes(300_000)
  const id = await begun(ada, content.length)

  const first = await send(ada, id, 0, content.subarray(0, 100_000))
  const between = await find(ada, id)
  const last = await send(ada, id, 100_000, content.subarray(100_000))

  expect(first).toMatchObject({ status: 204, headers: { 'upload-offset': '100000', 'tus-resumable': '1.0.0' } })
  expect(between).toMatchObject({ state: 'Receiving', received: 100_000, sha256: null })
  expect(last).toMatchObject({ status: 204, headers: { 'upload-offset': '300000' } })
  expect(await find(ada, id)).toMatchObject({ state: 'Ready', received: 300_000, sha256: sha256Of(content) })
  expect(await readFile(pathOf(id))).toEqual(content)
})

test('requests of one upload may reach different nodes', async () => {
  const other = await buildApp({ database: world.database, configuration: app.services.configuration })
  onTestFinished(() => other.http.close())
  const { id: principalId, caller: here } = await packager()
  const there = callerOf(other, await other.services.tokens.issue(principalId))
  const content = randomBytes(90_000)
  const id = await begun(here, content.length)

  for (const [number, node] of [here, there, here].entries())
    await send(node, id, number * 30_000, content.subarray(number * 30_000, (number + 1) * 30_000))

  expect(await find(there, id)).toMatchObject({ state: 'Ready', sha256: sha256Of(content) })
})

test('a hash that another version of the library has stored is made again from the file', async () => {
  const content = randomBytes(50_000)
  const id = await begun(ada, content.length)
  await send(ada, id, 0, content.subarray(0, 20_000))
  await db
    .updateTable('package_uploads')
    .set({ hash_state: Buffer.from('other') })
    .where('id', '=', id)
    .execute()

  await send(ada, id, 20_000, content.subarray(20_000))

  expect(await find(ada, id)).toMatchObject({ sha256: sha256Of(content) })
})

test('HEAD answers with the position and the length, as tus requires', async () => {
  const id = await begun(ada, 10)
  await send(ada, id, 0, 'abc')

  const head = await ada.send({ method: 'HEAD', url: addressOf(id), headers: { 'tus-resumable': '1.0.0' } })

  expect(head).toMatchObject({ status: 200, headers: { 'upload-offset': '3', 'upload-length': '10' } })
  expect(head.headers['cache-control']).toBe('no-store')
  expect(Date.parse(head.headers['upload-expires'] ?? '')).toBeGreaterThan(Date.now() + 47 * 3_600_000)
})

test('OPTIONS says what the service supports of tus', async () => {
  const { headers } = await world.withToken(undefined).send({ method: 'OPTIONS', url: '/api/package-uploads' })

  expect(headers).toMatchObject({ 'tus-version': '1.0.0', 'tus-extension': 'creation,termination,expiration' })
})

test('an upload is announced in the headers of tus as in a body, and other versions of tus are refused', async () => {
  const metadata = [`filename ${Buffer.from('Größe.msi').toString('base64')}`, 'fingerprint YWJj', 'ignored'].join(',')
  const headers = { 'tus-resumable': '1.0.0', 'upload-length': '12', 'upload-metadata': metadata }
  const url = '/api/package-uploads'

  const begunWithHeaders = await ada.send({ method: 'POST', url, headers })
  const other = await ada.send({ method: 'POST', url, headers: { ...headers, 'tus-resumable': '2.0.0' } })
  const nameless = await ada.send({ method: 'POST', url, headers: { ...headers, 'upload-metadata': '' } })
  const endless = await ada.send({ method: 'POST', url, headers: { ...headers, 'upload-length': '1e9' } })

  expect(begunWithHeaders).toMatchObject({
    status: 201,
    body: { fileName: 'Größe.msi', size: 12, fingerprint: 'abc', isOwn: true, state: 'Receiving' },
  })
  expect(begunWithHeaders.headers.location).toBe(addressOf((begunWithHeaders.body as { id: string }).id))
  expect(other).toMatchObject({ status: 412, problem: 'TusVersionUnsupported', headers: { 'tus-version': '1.0.0' } })
  for (const refused of [nameless, endless]) expect(refused).toMatchObject({ status: 400, problem: 'InvalidRequest' })
})

test.each(['../evil', 'a/b', 'a\\b', '..', 'nul', 'a:b', 'x\u202Ey', 'end.'])(
  'the file name %j is refused, because a name is never a path',
  async (fileName) => {
    const refused = await ada.call(createPackageUpload, { body: { fileName, size: 1 } })

    expect(refused).toMatchObject({ status: 400, raw: { errors: [{ name: 'fileName' }] } })
  },
)

test('bytes for a position that the upload does not have are refused, and the answer names the position', async () => {
  const id = await begun(ada, 10)
  await send(ada, id, 0, 'abcd')

  const again = await send(ada, id, 0, 'abcd')
  const ahead = await send(ada, id, 6, 'gh')

  for (const refused of [again, ahead])
    expect(refused).toMatchObject({ status: 409, problem: 'OffsetMismatch', headers: { 'upload-offset': '4' } })
  expect(await find(ada, id)).toMatchObject({ received: 4 })
})

test('more bytes than announced are refused, and what was announced stays', async () => {
  const id = await begun(ada, 10)
  await send(ada, id, 0, 'abcd')

  const refused = await send(ada, id, 4, Buffer.alloc(100_000))

  expect(refused).toMatchObject({ status: 413, problem: 'UploadLongerThanAnnounced' })
  expect(await find(ada, id)).toMatchObject({ received: 4, state: 'Receiving' })
})

test('content without the announced SHA-256 is discarded, and the right one can be sent afterwards', async () => {
  const id = await begun(ada, 5, { sha256: sha256Of('right') })

  const refused = await send(ada, id, 0, 'wrong')
  const discarded = await find(ada, id)
  await send(ada, id, 0, 'right')

  expect(refused).toMatchObject({ status: 422, problem: 'UploadHashMismatch' })
  expect(discarded).toMatchObject({ received: 0, state: 'Receiving' })
  expect(await find(ada, id)).toMatchObject({ state: 'Ready', sha256: sha256Of('right') })
})

test('bytes that a crash left beyond the recorded position are written again, and lost ones are sent again', async () => {
  const id = await begun(ada, 6)
  await send(ada, id, 0, 'abc')
  await writeFile(pathOf(id), 'abcXYZXYZ')
  await send(ada, id, 3, 'd')
  const continued = await readFile(pathOf(id), 'utf8')
  await writeFile(pathOf(id), 'a')

  const lost = await send(ada, id, 4, 'ef')

  expect(continued).toBe('abcd')
  expect(lost).toMatchObject({ status: 409, headers: { 'upload-offset': '0' } })
  await send(ada, id, 0, 'abcdef')
  expect(await find(ada, id)).toMatchObject({ state: 'Ready', sha256: sha256Of('abcdef') })
})

/** A request that sends bytes over a real connection, and stays open. */
async function openTransfer(token: string, id: string, size: number) {
  const outgoing = httpRequest({
    port,
    path: addressOf(id),
    method: 'PATCH',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': bytesType,
      'upload-offset': '0',
      'content-length': size,
    },
  })
  const ended = new Promise<number | string>((resolve) => {
    outgoing.on('response', (response) => resolve(response.statusCode ?? 0))
    outgoing.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'error'))
  })
  return { outgoing, ended }
}

const isWritten = (id: string, bytes: number) =>
  until(async () => (await stat(pathOf(id)).catch(() => undefined))?.size === bytes || undefined)

test('while a request sends bytes, others are refused on every node; what had arrived stays when its connection ends', async () => {
  const { token, caller } = await packager()
  const id = await begun(caller, 10)
  const { outgoing, ended } = await openTransfer(token, id, 10)
  outgoing.write('abcd')
  await isWritten(id, 4)

  const locked = await send(caller, id, 0, 'abcd')
  outgoing.destroy()
  await ended

  expect(locked).toMatchObject({ status: 423, problem: 'UploadLocked' })
  await until(async () => (await find(caller, id)).received === 4 || undefined)
  await until(async () => (await send(caller, id, 4, 'efghij')).status === 204 || undefined)
  expect(await find(caller, id)).toMatchObject({ state: 'Ready', sha256: sha256Of('abcdefghij') })
})

test('a claim of a process that died ends by itself', async () => {
  const id = await begun(ada, 4)
  const claim = (seconds: number) =>
    sql`update package_uploads set writer_id = gen_random_uuid(), writer_until = now() + make_interval(secs => ${seconds})
      where id = ${id}`.execute(db)
  await claim(20)
  const during = await send(ada, id, 0, 'abcd')
  await claim(-1)

  expect(during.status).toBe(423)
  expect((await send(ada, id, 0, 'abcd')).status).toBe(204)
})

test('a principal that is revoked, and an upload that is deleted, end the request that sends bytes', async () => {
  const [revoked, deleting] = [await packager(), await packager()]
  const [one, other] = [await begun(revoked.caller, 10), await begun(deleting.caller, 10)]
  const first = await openTransfer(revoked.token, one, 10)
  const second = await openTransfer(deleting.token, other, 10)
  for (const { outgoing } of [first, second]) outgoing.write('abcd')
  await Promise.all([isWritten(one, 4), isWritten(other, 4)])

  await world
    .as('admin.manage')
    .call(setLocalPrincipalRevoked, { params: { id: revoked.id }, body: { isRevoked: true } })
  const deleted = await deleting.caller.send({ method: 'DELETE', url: addressOf(other) })

  expect(deleted.status).toBe(204)
  expect(await Promise.all([first.ended, second.ended])).toEqual(['ECONNRESET', 'ECONNRESET'])
}, 20_000)

test('only the principal that began an upload can continue it; others with the role see it, and administrators delete it', async () => {
  const bob = await packager()
  const boss = await packager(['package.write', 'admin.manage'])
  const id = await begun(ada, 4)

  const continued = await send(bob.caller, id, 0, 'abcd')
  const deleted = await bob.caller.send({ method: 'DELETE', url: addressOf(id) })
  const seen = await find(bob.caller, id)
  const deletedByBoss = await boss.caller.send({ method: 'DELETE', url: addressOf(id) })

  for (const refused of [continued, deleted]) expect(refused).toMatchObject({ status: 403, problem: 'NotYourUpload' })
  expect(seen).toMatchObject({ isOwn: false, received: 0 })
  expect(deletedByBoss.status).toBe(204)
  expect((await send(ada, id, 0, 'abcd')).problem).toBe('UploadNotFound')
})
