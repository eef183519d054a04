import { randomBytes } from 'node:crypto'
import { appendFile, mkdir, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { openContentStore } from '../../src/depot-server/content-store.ts'
import { createMasterClient } from '../../src/depot-server/master-client.ts'
import { synchronise } from '../../src/depot-server/synchronise.ts'
import { temporaryFolder } from '../database/embedded-postgres/muster.ts'
import { openDepotWorld } from '../depots/depot-world.ts'
import { cuttingProxy } from './cutting-proxy.ts'
import { givenStoredPackage, replaceFiles, type StoredPackage, sha256Of } from './stored-packages.ts'

const { app, db, depot, store } = await openDepotWorld()
const master = new URL(await app.http.listen({ host: '127.0.0.1', port: 0 }))
const going = new AbortController().signal

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

async function newDepot(url = master) {
  const directory = await temporaryFolder()
  const { credential } = await depot()
  const client = createMasterClient({ master: url, credential })
  const contents = openContentStore(directory)
  return {
    directory,
    sync: (signal = going) => synchronise(client, directory, signal),
    read: (content: Buffer | string) => readFile(contents.pathOf(sha256Of(content))),
    has: (content: Buffer | string) => contents.has({ sha256: sha256Of(content), size: Buffer.byteLength(content) }),
  }
}

/** The only package, so that the tests do not see those of each other. */
async function onlyPackage(files: Record<string, Buffer | string>): Promise<StoredPackage> {
  await db.deleteFrom('packages').execute()
  return givenStoredPackage(db, store, files)
}

test('a depot gets every file once, whatever packages it is in, and nothing the second time', async () => {
  const [shared, large] = ['in two packages', randomBytes(3_000_000)]
  await onlyPackage({ 'a/shared.txt': shared, empty: '' })
  await givenStoredPackage(db, store, { 'b/also-shared.txt': shared, 'large.bin': large })
  const { sync, read } = await newDepot()

  const [first, second] = [await sync(), await sync()]

  expect(first).toMatchObject({ status: 'Success', packages: 2, filesTransferred: 3 })
  expect(first.bytesTransferred).toBe(shared.length + large.length)
  expect(second).toMatchObject({ status: 'Success', packages: 2, filesTransferred: 0, bytesTransferred: 0 })
  expect((await read(large)).equals(large)).toBe(true)
  expect((await read('')).length).toBe(0)
})

test('a new version brings only what is new, and what is not wanted any more goes', async () => {
  const made = await onlyPackage({ 'kept.txt': 'kept', 'old.txt': 'old' })
  const { sync, has } = await newDepot()
  await sync()

  await replaceFiles(db, store, made, { 'kept.txt': 'kept', 'new.txt': 'new' })
  const updated = await sync()
  const [kept, old] = [await has('kept'), await has('old')]
  await db.deleteFrom('packages').execute()
  const emptied = await sync()

  expect(updated).toMatchObject({ status: 'Success', filesTransferred: 1, bytesTransferred: 3 })
  expect([kept, old]).toEqual([true, false])
  expect(emptied).toMatchObject({ status: 'Success', packages: 0 })
  expect(await has('new')).toBe(false)
})

test('a transfer that breaks off continues where it broke off', async () => {
  const large = randomBytes(1_000_000)
  await onlyPackage({ 'large.bin': large })
  const proxy = await cuttingProxy(master, { cuts: 2, afterBytes: 300_000 })
  const { sync, read } = await newDepot(proxy.url)

  const result = await sync()

  expect(result).toMatchObject({ status: 'Success', filesTransferred: 1 })
  expect((await read(large)).equals(large)).toBe(true)
  expect(proxy.ranges[0]).toBeUndefined()
  expect(proxy.ranges.slice(1)).toEqual([
    expect.stringMatching(/^bytes=[1-9]\d*-$/),
    expect.stringMatching(/^bytes=[1-9]/),
  ])
})

test('a transfer is not lost while nobody reads it', async () => {
  const large = randomBytes(8_000_000)
  const { id } = await onlyPackage({ 'large.bin': large })
  const { credential } = await depot()

  const { body } = await createMasterClient({ master, credential }).content(id, sha256Of(large), 0, going)
  for (let round = 0; round < 5; round++) {
    collectGarbage()
    await setTimeout(20)
  }
  const pieces = await Array.fromAsync(body ?? [])

  expect(Buffer.concat(pieces).equals(large)).toBe(true)
})

test('a transfer that a stop interrupted continues at the next start', async () => {
  const large = randomBytes(1_000_000)
  await onlyPackage({ 'large.bin': large })
  const proxy = await cuttingProxy(master, { cuts: 0, afterBytes: 0 })
  const { directory, sync, read } = await newDepot(proxy.url)
  await mkdir(join(directory, 'incoming'))
  await writeFile(join(directory, 'incoming', sha256Of(large)), large.subarray(0, 400_000))

  const result = await sync()

  expect(result).toMatchObject({ status: 'Success', bytesTransferred: 600_000 })
  expect(proxy.ranges).toEqual(['bytes=400000-'])
  expect((await read(large)).equals(large)).toBe(true)
})

test.each([
  ['whole', (large: Buffer) => large, 0],
  ['whole but wrong', (large: Buffer) => Buffer.alloc(large.length), undefined],
  ['too long', (large: Buffer) => Buffer.concat([large, large]), 50_000],
  ['wrong at its beginning', () => Buffer.from('wrong'), undefined],
])('what lies there of a transfer is used only if it is right: it is %s', async (_case, left, transferred) => {
  const large = randomBytes(50_000)
  await onlyPackage({ 'large.bin': large })
  const { directory, sync, read } = await newDepot()
  await mkdir(join(directory, 'incoming'))
  await writeFile(join(directory, 'incoming', sha256Of(large)), left(large))

  const first = await sync()
  const second = await sync()

  expect(first.status).toBe(transferred === undefined ? 'Failed' : 'Success')
  if (transferred !== undefined) expect(first.bytesTransferred).toBe(transferred)
  expect(second.status).toBe('Success')
  expect((await read(large)).equals(large)).toBe(true)
})

test('a file that is not what its package says is refused, and other packages come nevertheless', async () => {
  const made = await onlyPackage({ 'setup.bin': 'version one' })
  const { directory, sync, has } = await newDepot()
  await sync()
  await replaceFiles(db, store, made, { 'setup.bin': 'version two' })
  await writeFile(join(store, made.folder, 'setup.bin'), 'version 2!!')
  await givenStoredPackage(db, store, { 'other.txt': 'other' })

  const result = await sync()

  expect(result).toMatchObject({ status: 'Failed', packages: 2, filesTransferred: 1 })
  expect(result.message).toContain(made.name)
  expect([await has('version one'), await has('version two'), await has('version 2!!'), await has('other')]).toEqual([
    true,
    false,
    false,
    true,
  ])
  expect(await readdir(join(directory, 'incoming'))).toEqual([])
})

test('a file that was lost or cut on the depot comes again', async () => {
  await onlyPackage({ 'one.txt': 'one', 'two.txt': 'two' })
  const { directory, sync, has } = await newDepot()
  await sync()
  const path = (content: string) => openContentStore(directory).pathOf(sha256Of(content))
  await rm(path('one'))
  await truncate(path('two'), 1)

  const result = await sync()

  expect(result).toMatchObject({ status: 'Success', filesTransferred: 2 })
  expect([await has('one'), await has('two')]).toEqual([true, true])
})

test('a damaged index only means that the packages are asked for again', async () => {
  await onlyPackage({ 'one.txt': 'one' })
  const { directory, sync } = await newDepot()
  await sync()
  await appendFile(join(directory, 'packages.json'), '{{{')

  expect(await sync()).toMatchObject({ status: 'Success', packages: 1, filesTransferred: 0 })
})

test('a master server that cannot be reached changes nothing on the depot', async () => {
  await onlyPackage({ 'one.txt': 'one' })
  const { directory, sync, has } = await newDepot()
  await sync()
  const nobody = createMasterClient({ master: new URL('http://127.0.0.1:1/'), credential: 'depot-1.x' })

  await expect(synchronise(nobody, directory, going)).rejects.toThrow()

  expect(await has('one')).toBe(true)
})
