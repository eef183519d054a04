import { mkdir, readdir, stat, utimes, writeFile } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { FakeServer } from './fake-server.ts'
import { sha256 } from './given-work.ts'
import { generateSecretKey, manifestName, signatureName, signedWork } from './signed.ts'
import { openWorld, until, type World } from './world.ts'

const big = Buffer.alloc(300_000, 'a package file ')
const install = { shell: 'cp big "$ROOT/got"' }
const isFile = (path: string) => path.includes('/files/')
const fileCalls = ({ calls }: FakeServer) => calls.filter(({ path }) => isFile(path))

/** What the last contact reported about a work item. */
const reportOf = ({ contacts }: FakeServer, workId: number) =>
  contacts.at(-1)?.preDownloads?.find((report) => report.workId === workId)

const untilReported = (server: FakeServer, workId: number, state: string) =>
  until(() => reportOf(server, workId)?.state === state, `work ${workId} is ${state}`)

/** The files of the agent with some of the content of packages, by their size. */
async function keptSizes({ state }: World): Promise<number[]> {
  const folders = await Promise.all(
    // The agent may not have made them yet.
    ['cache', 'incoming'].map((name) =>
      readdir(join(state, name), { recursive: true, withFileTypes: true }).catch(() => []),
    ),
  )
  const files = folders.flat().filter((entry) => entry.isFile())
  const sizes = await Promise.all(
    files.map(({ parentPath, name }) =>
      stat(join(parentPath, name)).then(
        ({ size }) => size,
        () => [],
      ),
    ),
  )
  return sizes.flat()
}

/** Sends the first part of a file, and nothing more. */
function sendPart(answer: ServerResponse, content: Buffer, bytes: number): true {
  answer.writeHead(200, { 'content-length': String(content.length), etag: `"${sha256(content)}"` })
  answer.write(content.subarray(0, bytes))
  return true
}

test('announced content is on the computer before its work is due, and is not downloaded again for the work', async () => {
  const { server, start, agent, left } = await openWorld()
  const workId = server.announce({ commands: { install }, files: { big } })

  start('run')
  await untilReported(server, workId, 'Ready')

  expect(server.results).toEqual([])
  expect(left('got')).toBeUndefined()
  expect(reportOf(server, workId)).toMatchObject({ fetchedBytes: big.length, message: null })
  // The first contact learns of it, the second gets the list, and the third reports that it is done.
  expect(server.contacts).toHaveLength(3)
  expect(server.contacts.map(({ preDownloads }) => preDownloads?.length)).toEqual([undefined, 0, 1])

  server.makeDue(workId)
  await agent('contact')
  await until(() => server.resultOf(workId))
  expect(server.resultOf(workId)).toMatchObject({ status: 'Success' })
  expect(left('got')).toBe(big.toString())
  expect(fileCalls(server)).toHaveLength(1)
}, 20_000)

test('an agent that is killed in the middle continues where it stopped, and downloads nothing twice', async () => {
  const world = await openWorld()
  const { server, start } = world
  const workId = server.announce({ files: { big } })
  server.interfere = ({ path }, answer) => isFile(path) && sendPart(answer, big, 100_000)
  const first = start('run')
  await until(async () => (await keptSizes(world)).includes(100_000), 'a part has arrived')

  await first.kill()
  server.interfere = () => false
  start('run')
  await untilReported(server, workId, 'Ready')

  expect(fileCalls(server).map(({ range }) => range)).toEqual([undefined, 'bytes=100000-'])
  // The new process knows from its own file that there is something to report.
  expect(server.contacts.findLast(({ preDownloads }) => preDownloads?.[0]?.state === 'Waiting')).toBeDefined()
}, 20_000)

test.each([
  { kilobytes: 200, seconds: 1.5 },
  { kilobytes: 100, seconds: 3 },
])(
  'with a limit of $kilobytes kB/s, 300 kB take $seconds seconds',
  async ({ kilobytes, seconds }) => {
    const { server, start } = await openWorld()
    server.settings = { hash: 's', values: { maxDownloadKilobytesPerSecond: kilobytes } }
    const workId = server.announce({ files: { big } })
    const times: number[] = []
    server.interfere = ({ path }) => {
      if (isFile(path)) times.push(performance.now())
      return false
    }

    start('run')
    await untilReported(server, workId, 'Ready')

    const [began = 0] = times
    const tookSeconds = (performance.now() - began) / 1_000
    expect(tookSeconds).toBeGreaterThan(seconds * 0.95)
    expect(tookSeconds).toBeLessThan(seconds * 2 + 3)
  },
  20_000,
)

test('the limit applies to ordinary downloads as well', async () => {
  const { server, runOnce } = await openWorld()
  server.settings = { hash: 's', values: { maxDownloadKilobytesPerSecond: 150 } }
  const workId = server.give({ commands: { install }, files: { big } })
  const began = performance.now()

  await runOnce()

  expect(server.resultOf(workId)).toMatchObject({ status: 'Success' })
  expect(performance.now() - began).toBeGreaterThan(1_900)
}, 20_000)

test('the download of withdrawn work stops, and what has arrived is removed', async () => {
  const world = await openWorld()
  const { server, start, agent } = world
  const done = server.announce({ files: { done: 'a small file' } })
  const workId = server.announce({ files: { big } })
  server.interfere = ({ path }, answer) => path.endsWith(sha256(big)) && sendPart(answer, big, 100_000)
  start('run')
  await until(async () => (await keptSizes(world)).length === 2, 'both have arrived, one of them in part')

  server.cancel(workId)
  await agent('contact')
  await until(async () => (await keptSizes(world)).length === 1, 'the part is removed')
  await untilReported(server, done, 'Ready')
  expect(await keptSizes(world)).toEqual(['a small file'.length])

  server.cancel(done)
  await agent('contact')
  await until(async () => (await keptSizes(world)).length === 0, 'nothing is left')
  expect(server.results).toEqual([])
}, 20_000)

test('content that other announced work needs as well stays when one work item is withdrawn', async () => {
  const world = await openWorld()
  const { server, start, agent } = world
  const [first, second] = [server.announce({ files: { big } }), server.announce({ files: { copy: big } })]
  start('run')
  await untilReported(server, second, 'Ready')

  server.cancel(first)
  await agent('contact')
  await sleep(200)

  expect(await keptSizes(world)).toEqual([big.length])
  expect(fileCalls(server)).toHaveLength(1)
}, 20_000)

test('while the server asks to keep what is there, nothing is downloaded and nothing removed', async () => {
  const world = await openWorld()
  const { server, start, agent } = world
  const given = { files: { big }, isFetched: false }
  const workId = server.announce(given)
  start('run')
  await until(() => server.contacts.length >= 2)
  await agent('contact')

  expect(reportOf(server, workId)).toMatchObject({ state: 'Waiting', fetchedBytes: 0 })
  expect(fileCalls(server)).toEqual([])

  given.isFetched = true
  await agent('contact')
  await untilReported(server, workId, 'Ready')
  given.isFetched = false
  await agent('contact')
  expect(await keptSizes(world)).toEqual([big.length])
}, 20_000)

test('an answer that says nothing about announced content removes nothing', async () => {
  const world = await openWorld()
  const { server, start, agent } = world
  const workId = server.announce({ files: { big } })
  start('run')
  await untilReported(server, workId, 'Ready')
  server.interfere = ({ path }, answer) => {
    if (!path.endsWith('/contact')) return false
    const quiet = { serverTimeUtc: '', nextContactSeconds: 60, settings: null, sections: [], work: [], offers: [] }
    answer.writeHead(200).end(JSON.stringify(quiet))
    return true
  }

  await agent('contact')
  await agent('contact')

  expect(await keptSizes(world)).toEqual([big.length])
}, 20_000)

test('content is kept for announced work however long it waits, and other downloads are not', async () => {
  const world = await openWorld()
  const { server, start, agent, state } = world
  const workId = server.announce({ files: { big } })
  start('run')
  await untilReported(server, workId, 'Ready')
  const other = join(state, 'cache', 'ff', 'f'.repeat(64))
  await mkdir(join(state, 'cache', 'ff'), { recursive: true })
  await writeFile(other, 'old')
  const longAgo = new Date(Date.now() - 30 * 24 * 60 * 60 * 1000)
  const announced = join(state, 'cache', sha256(big).slice(0, 2), sha256(big))
  for (const path of [other, announced]) await utimes(path, longAgo, longAgo)

  await agent('contact')
  await until(async () => (await keptSizes(world)).length === 1)

  expect(await keptSizes(world)).toEqual([big.length])
}, 20_000)

test('a server that announces more than half of the free disk is not served, and its work is done nevertheless', async () => {
  const { server, start, agent } = await openWorld()
  const workId = server.announce({ fileList: [{ path: 'f', size: Number.MAX_SAFE_INTEGER, sha256: sha256('x') }] })
  const other = server.announce({ files: { big } })

  start('run')
  await untilReported(server, workId, 'Failed')

  expect(reportOf(server, workId)?.message).toContain('Downloads before their time may take')
  await untilReported(server, other, 'Ready')
  expect(fileCalls(server)).toHaveLength(1)
  const due = server.give({ commands: { install: { shell: 'true' } } })
  await agent('contact')
  await until(() => server.resultOf(due))
}, 20_000)

test('more than a hundred announcements, and paths outside of the folder of packages, are refused', async () => {
  const { server, start, agent } = await openWorld()
  const escaping = server.announce({ fileList: [{ path: '../escaped', size: 1, sha256: sha256('x') }] })
  const running = start('run')
  await untilReported(server, escaping, 'Failed')
  expect(reportOf(server, escaping)?.message).toContain(`'.' or '..'`)

  for (let count = 0; count < 101; count++) server.announce({ files: { [`f${count}`]: `content ${count}` } })
  const due = server.give({ commands: { install: { shell: 'true' } } })
  await agent('contact')
  await until(() => server.resultOf(due))

  expect(running.output()).toContain('The announced content is ignored: upcoming.work is not a list of 0 to 100 items.')
  expect(fileCalls(server)).toEqual([])
}, 20_000)

test('with a pinned key, only content that the key has signed is downloaded', async () => {
  const world = await openWorld()
  const { server, start, agent } = world
  const [key, otherKey] = [generateSecretKey(), generateSecretKey()]
  await agent('trust-key', key.publicKey.text)
  const unsigned = server.announce({ files: { big } })
  const foreign = server.announce(signedWork(otherKey, 'foreign', {}, { 'a.sh': 'echo foreign' }))
  const changed = signedWork(key, 'changed', {}, { 'b.sh': 'echo changed' })
  const exchanged = server.announce({ ...changed, files: { ...changed.files, 'b.sh': 'echo other' } })
  const signed = server.announce(signedWork(key, 'signed', {}, { 'c.sh': 'echo signed' }))

  start('run')
  await untilReported(server, signed, 'Ready')

  expect(reportOf(server, unsigned)).toMatchObject({ state: 'Failed', message: expect.stringContaining('not signed') })
  expect(reportOf(server, foreign)).toMatchObject({ state: 'Failed', message: expect.stringContaining('another key') })
  expect(reportOf(server, exchanged)?.message).toContain('files that differ from those in the signed manifest')
  const fetched = fileCalls(server).map(({ path }) => path.split('/').at(-1))
  for (const content of [big, 'echo foreign', 'echo other']) expect(fetched).not.toContain(sha256(content))
  // What was refused is removed, so three files are left: those of the signed package.
  expect(await keptSizes(world)).toHaveLength(Object.keys({ [manifestName]: 1, [signatureName]: 1, 'c.sh': 1 }).length)
}, 20_000)

test('a suspended agent downloads nothing ahead', async () => {
  const { server, start, agent } = await openWorld()
  await agent('suspend')
  const workId = server.announce({ files: { big } })
  start('run')
  await until(() => server.contacts.length >= 2)
  await sleep(300)
  expect(fileCalls(server)).toEqual([])

  await agent('resume')

  await untilReported(server, workId, 'Ready')
}, 20_000)
