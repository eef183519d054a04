import { randomBytes } from 'node:crypto'
import { appendFile, mkdir, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, onTestFinished, test } from 'vitest'
import { noAnswerNames, openNoAnswerServer } from '../../../tools/no-answers.ts'
import { openContentStore } from '../../src/depot-server/content-store.ts'
import { createMasterClient, isMasterUnavailable } from '../../src/depot-server/master-client.ts'
import { synchronise } from '../../src/depot-server/synchronise.ts'
import { contentPathOf } from '../../src/features/packages/content/content-folder.ts'
import { temporaryFolder } from '../database/embedded-postgres/muster.ts'
import { openDepotWorld } from '../depots/depot-world.ts'
import { cuttingProxy } from './cutting-proxy.ts'
import { givenStoredPackage, replaceFiles, type StoredPackage, sha256Of } from './stored-packages.ts'

const { app, db, depot, store } = await openDepotWorld()
const master = new URL(await app.http.listen({ host: '127.0.0.1', port: 0 }))
const neverAborted = new AbortController().signal

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

async function givenDepot(url = master) {
  const directory = await temporaryFolder()
  const { credential } = await depot()
  const client = createMasterClient({ master: url, credential })
  const contents = openContentStore(directory)
  return {
    directory,
    sync: (signal = neverAborted) => synchronise(client, directory, signal),
    read: (content: Buffer | string) => readFile(contents.pathOf(sha256Of(content))),
    has: (content: Buffer | string) => contents.has({ sha256: sha256Of(content), size: Buffer.byteLength(content) }),
  }
}

/** Creates the only package and deletes those of other tests. */
async function givenOnlyPackage(files: Record<string, Buffer | string>): Promise<StoredPackage> {
  await db.deleteFrom('packages').execute()
  return givenStoredPackage(db, store, files)
}

test('a depot downloads a file once, even if several packages contain it, and nothing in the next synchronisation', async () => {
  const [shared, large] = ['in two packages', randomBytes(3_000_000)]
  await givenOnlyPackage({ 'a/shared.txt': shared, empty: '' })
  await givenStoredPackage(db, store, { 'b/also-shared.txt': shared, 'large.bin': large })
  const { sync, read } = await givenDepot()

  const [first, second] = [await sync(), await sync()]

  expect(first).toMatchObject({ status: 'Success', packages: 2, filesTransferred: 3 })
  expect(first.bytesTransferred).toBe(shared.length + large.length)
  expect(second).toMatchObject({ status: 'Success', packages: 2, filesTransferred: 0, bytesTransferred: 0 })
  expect((await read(large)).equals(large)).toBe(true)
  expect((await read('')).length).toBe(0)
})

test('a depot downloads only the new files of a new version and deletes files that no package contains', async () => {
  const created = await givenOnlyPackage({ 'kept.txt': 'kept', 'old.txt': 'old' })
  const { sync, has } = await givenDepot()
  await sync()

  await replaceFiles(db, store, created, { 'kept.txt': 'kept', 'new.txt': 'new' })
  const updated = await sync()
  const [kept, old] = [await has('kept'), await has('old')]
  await db.deleteFrom('packages').execute()
  const emptied = await sync()

  expect(updated).toMatchObject({ status: 'Success', filesTransferred: 1, bytesTransferred: 3 })
  expect([kept, old]).toEqual([true, false])
  expect(emptied).toMatchObject({ status: 'Success', packages: 0 })
  expect(await has('new')).toBe(false)
})

test('an interrupted transfer is resumed where it ended', async () => {
  const large = randomBytes(1_000_000)
  await givenOnlyPackage({ 'large.bin': large })
  const proxy = await cuttingProxy(master, { cuts: 2, afterBytes: 300_000 })
  const { sync, read } = await givenDepot(proxy.url)

  const result = await sync()

  expect(result).toMatchObject({ status: 'Success', filesTransferred: 1 })
  expect((await read(large)).equals(large)).toBe(true)
  expect(proxy.ranges[0]).toBeUndefined()
  expect(proxy.ranges.slice(1)).toEqual([
    expect.stringMatching(/^bytes=[1-9]\d*-$/),
    expect.stringMatching(/^bytes=[1-9]/),
  ])
})

test('a response body that is not read yet survives garbage collection', async () => {
  const large = randomBytes(8_000_000)
  const { id } = await givenOnlyPackage({ 'large.bin': large })
  const { credential } = await depot()

  const { body } = await createMasterClient({ master, credential }).content(id, sha256Of(large), 0, neverAborted)
  for (let round = 0; round < 5; round++) {
    collectGarbage()
    await setTimeout(20)
  }
  const chunks = await Array.fromAsync(body ?? [])

  expect(Buffer.concat(chunks).equals(large)).toBe(true)
})

test('a transfer that was interrupted by a stop is resumed at the next start', async () => {
  const large = randomBytes(1_000_000)
  await givenOnlyPackage({ 'large.bin': large })
  const proxy = await cuttingProxy(master, { cuts: 0, afterBytes: 0 })
  const { directory, sync, read } = await givenDepot(proxy.url)
  await mkdir(join(directory, 'incoming'))
  await writeFile(join(directory, 'incoming', sha256Of(large)), large.subarray(0, 400_000))

  const result = await sync()

  expect(result).toMatchObject({ status: 'Success', bytesTransferred: 600_000 })
  expect(proxy.ranges).toEqual(['bytes=400000-'])
  expect((await read(large)).equals(large)).toBe(true)
})

test.each([
  ['complete', (large: Buffer) => large, 0],
  ['complete but wrong', (large: Buffer) => Buffer.alloc(large.length), undefined],
  ['too long', (large: Buffer) => Buffer.concat([large, large]), 50_000],
  ['wrong at its start', () => Buffer.from('wrong'), undefined],
])('a partial file is used only if it is valid: it is %s', async (_case, partialFile, transferred) => {
  const large = randomBytes(50_000)
  await givenOnlyPackage({ 'large.bin': large })
  const { directory, sync, read } = await givenDepot()
  await mkdir(join(directory, 'incoming'))
  await writeFile(join(directory, 'incoming', sha256Of(large)), partialFile(large))

  const first = await sync()
  const second = await sync()

  expect(first.status).toBe(transferred === undefined ? 'Failed' : 'Success')
  if (transferred !== undefined) expect(first.bytesTransferred).toBe(transferred)
  expect(second.status).toBe('Success')
  expect((await read(large)).equals(large)).toBe(true)
})

test('a file that does not match its hash is refused, and other packages are still updated', async () => {
  const created = await givenOnlyPackage({ 'setup.bin': 'version one' })
  const { directory, sync, has } = await givenDepot()
  await sync()
  await replaceFiles(db, store, created, { 'setup.bin': 'version two' })
  const damaged = contentPathOf(store, sha256Of('version two'))
  await mkdir(dirname(damaged), { recursive: true })
  await writeFile(damaged, 'version 2!!')
  await givenStoredPackage(db, store, { 'other.txt': 'other' })

  const result = await sync()

  expect(result).toMatchObject({ status: 'Failed', packages: 2, filesTransferred: 1 })
  expect(result.message).toContain(created.name)
  expect([await has('version one'), await has('version two'), await has('version 2!!'), await has('other')]).toEqual([
    true,
    false,
    false,
    true,
  ])
  expect(await readdir(join(directory, 'incoming'))).toEqual([])
})

test('a file that is missing or truncated on the depot is downloaded again', async () => {
  await givenOnlyPackage({ 'one.txt': 'one', 'two.txt': 'two' })
  const { directory, sync, has } = await givenDepot()
  await sync()
  const path = (content: string) => openContentStore(directory).pathOf(sha256Of(content))
  await rm(path('one'))
  await truncate(path('two'), 1)

  const result = await sync()

  expect(result).toMatchObject({ status: 'Success', filesTransferred: 2 })
  expect([await has('one'), await has('two')]).toEqual([true, true])
})

test('a depot with a damaged index requests the file lists again and downloads nothing twice', async () => {
  await givenOnlyPackage({ 'one.txt': 'one' })
  const { directory, sync } = await givenDepot()
  await sync()
  await appendFile(join(directory, 'packages.json'), '{{{')

  expect(await sync()).toMatchObject({ status: 'Success', packages: 1, filesTransferred: 0 })
})

test('an unreachable master server changes nothing on the depot', async () => {
  await givenOnlyPackage({ 'one.txt': 'one' })
  const { directory, sync, has } = await givenDepot()
  await sync()
  const unreachable = createMasterClient({ master: new URL('http://127.0.0.1:1/'), credential: 'depot-1.x' })

  await expect(synchronise(unreachable, directory, neverAborted)).rejects.toThrow()

  expect(await has('one')).toBe(true)
})

test.each(noAnswerNames)(
  'a master server that sends %s counts as unavailable, at the time limit at the latest',
  async (name) => {
    const silent = await openNoAnswerServer(name)
    onTestFinished(silent.close)
    const client = createMasterClient({ master: new URL(silent.address), credential: 'depot-1.secret' })

    const outcome = await client.packages(AbortSignal.timeout(300)).catch((error: unknown) => error)

    expect(isMasterUnavailable(outcome)).toBe(true)
  },
)
