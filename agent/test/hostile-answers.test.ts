import { access, readdir, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { print } from '@muster/text/print'
import { expect, onTestFinished, test } from 'vitest'
import { noAnswers } from '../../tools/no-answers.ts'
import { openBandwidth } from '../src/files/bandwidth.ts'
import { contentCache } from '../src/files/content-cache.ts'
import { diskReserve, downloadFiles } from '../src/files/download.ts'
import { log, logTo } from '../src/log.ts'
import { parseKeyList } from '../src/signing/key-list.ts'
import { toSignedWork } from '../src/signing/signed-manifest.ts'
import { knownSettings } from '../src/state/settings.ts'
import { addLeasedItems, type LeasedItem, maxLeasedItems } from '../src/work/leased-work.ts'
import { packageOf, sha256, startedOf } from './given-work.ts'
import { generateSecretKey, leaving, signedWork } from './signed.ts'
import { openWorld, until, type World } from './world.ts'

const key = generateSecretKey()
const numericSettings = [
  'contactIntervalMinutes',
  'inventoryIntervalMinutes',
  'downloadTimeLimitMinutes',
  'keepDownloadsDays',
] as const

async function openPinnedWorld(): Promise<World> {
  const world = await openWorld()
  await world.agent('trust-key', key.publicKey.text)
  return world
}

/** Work that no pinned key has signed, brought by a contact. */
const unsigned = {
  ...{ workId: 1, attempt: 1, kind: 'Install', leaseSeconds: 30, hidden: false, forced: false, power: null },
  ...{ package: packageOf({}), postponable: { remaining: 0, untilUtc: null } },
  content: startedOf({ commands: { install: leaving('ran') } }),
}

function answerContacts({ server }: World, answer: object): void {
  server.interfere = ({ path }, response) => {
    if (!path.endsWith('/contact')) return false
    const environment = { depots: [], depotsAfterServer: [], variables: {}, collections: {} }
    const rest = {
      environment,
      beginWithinSeconds: 30,
      nextContactSeconds: 60,
      settings: null,
      sections: [],
      offers: [],
    }
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ work: [unsigned], ...rest, ...answer }))
    return true
  }
}

test.each([
  [{ results: [{ workId: '../trusted-keys', outcome: 'Accepted' }] }],
  [{ results: [{ workId: ['../trusted-keys'], outcome: 'Accepted' }] }],
  [{ results: [null] }],
  [{ results: '../trusted-keys' }],
  [{ withdrawn: ['../trusted-keys'] }],
  [{ work: [unsigned, { ...unsigned, workId: '../trusted-keys' }] }],
])('the answer %j to a contact neither removes the pinned keys nor runs what nobody has signed', async (answer) => {
  const world = await openPinnedWorld()
  answerContacts(world, answer)

  const { code } = await world.runOnce()

  await access(join(world.state, 'trusted-keys.json'))
  expect(world.left('ran')).toBeUndefined()
  expect(code).not.toBe(0)
})

/** What a server sends instead of an answer, as far as it ends without a time limit. */
const endingNoAnswers = [
  'a change to another protocol',
  'the same without its headers',
  'the end of the connection',
  'another protocol',
  'headers without an end',
] as const

test.each(endingNoAnswers)('a contact that gets %s has failed', async (name) => {
  const { server, runOnce } = await openWorld()
  server.interfere = ({ path }, { socket }) => {
    if (!path.endsWith('/contact') || !socket) return false
    noAnswers[name](socket)
    return true
  }

  const { code, output } = await runOnce()

  expect({ code, output }).toMatchObject({ code: 1, output: expect.stringContaining('cannot be reached') })
})

test('a server that changes to another protocol does not end the agent', async () => {
  const { server, start } = await openWorld()
  server.interfere = ({ path }, { socket }) => {
    if (!path.endsWith('/contact') || !socket) return false
    noAnswers['a change to another protocol'](socket)
    server.interfere = () => false
    return true
  }
  const agent = start('run')

  await until(() => server.contacts.length > 0, 'another contact')

  expect(agent.child.exitCode).toBeNull()
})

test('whatever a server hands out, a suspended agent keeps each item once, the content of one answer, and no more than a maximum', () => {
  const leased: LeasedItem[] = []
  const answerWith = (from: number, count: number) =>
    Array.from({ length: count }, (_, at) => ({ ...unsigned, workId: from + at, started: unsigned.content }) as never)

  addLeasedItems(leased, answerWith(0, 6_000))
  addLeasedItems(leased, [])
  addLeasedItems(leased, answerWith(5_000, 6_000))

  expect(leased).toHaveLength(maxLeasedItems)
  expect(new Set(leased.map(({ workId }) => workId)).size).toBe(maxLeasedItems)
  expect(leased[0]?.workId).toBe(5_000)
  expect(leased.filter(({ started }) => started)).toHaveLength(6_000)
})

test.each(['', 'agent-7', 'agent-7.a\nb', 'Bearer x'])(
  'the offered credential %j is ignored, and the agent goes on with its own',
  async (credential) => {
    const world = await openWorld()
    world.server.offeredCredential = credential
    await world.runOnce()
    world.server.offeredCredential = undefined
    const workId = world.server.give({ commands: { install: leaving('done') } })

    await world.runOnce()

    expect(world.server.resultOf(workId)?.status).toBe('Success')
  },
)

test('a signed package for computers without an operating system does not run in one', async () => {
  const { server, runOnce, left } = await openPinnedWorld()
  const workId = server.give(signedWork(key, 'erased', { preOs: true }))

  await runOnce()

  expect(server.resultOf(workId)).toMatchObject({
    status: 'Failed',
    errorText: expect.stringContaining('before an operating system'),
  })
  expect(left('erased')).toBeUndefined()
})

test('of the patches of signed work, nothing passes but their ids and the keys that this computer has reported', () => {
  const { commands, files } = signedWork(key, 'trace', { commands: { install: {} }, files: [] }, {})
  const manifest = JSON.parse(files['muster-package.json'] as string)
  const patches = [
    { patchId: { key: 'other' }, productId: 2, key: 'known', name: 'x', product: 'y', files: [], more: 1 },
  ]
  const declared = { commands: { install: { timeLimitMinutes: 60, successCodes: [0], rebootCodes: [] } } }
  const handed = { ...startedOf({ commands }), files: [], declared, patches } as never

  const work = toSignedWork(manifest, handed, [], { knownPatches: ['known'], product: 'Debian' })

  expect(work.patches).toEqual([
    { patchId: Number.NaN, productId: 2, key: 'known', name: 'known', product: 'Debian', files: [] },
  ])
})

test('a list of keys of any length is read in no time', () => {
  expect(parseKeyList(`${key.publicKey.text}\n`.repeat(100_000))).toContain('more than')
})

test('work that is refused leaves nothing of what it has downloaded', async () => {
  const { server, state, runOnce } = await openPinnedWorld()
  const foreign = signedWork(generateSecretKey(), 'ran')
  const other = signedWork(key, 'ran', { operatingSystems: ['Windows'] })
  const workIds = [server.give(foreign), server.give({ ...other, package: { operatingSystems: ['Windows'] } })]

  await runOnce()

  expect(workIds.map((workId) => server.resultOf(workId)?.status)).toEqual(['Failed', 'Failed'])
  for (const folder of ['cache', 'incoming', 'packages']) {
    const entries = await readdir(join(state, folder), { recursive: true, withFileTypes: true })
    expect(entries.filter((entry) => entry.isFile()).map(({ name }) => name)).toEqual([])
  }
})

test('a download that would not leave the reserve of the disk is not begun', async () => {
  const { blocks, bavail, bsize } = await statfs(tmpdir())
  const size = bavail * bsize - Math.floor(diskReserve(blocks * bsize) / 2)
  const asked: string[] = []
  const download = {
    cache: contentCache(tmpdir(), tmpdir()),
    sources: [{ name: 'the server', ask: (hash: string) => Promise.reject(new Error(String(asked.push(hash)))) }],
    ...{ signal: new AbortController().signal, endsAtMs: 0, onProgress: () => undefined },
    bandwidth: openBandwidth(),
  }

  await expect(downloadFiles(download, [{ path: 'a', size, sha256: sha256('a') }], tmpdir())).rejects.toThrow(
    'stay free',
  )
  expect(asked).toEqual([])
})

test('the reserve is a twentieth of a disk, and 1 GiB at most', () => {
  expect([diskReserve(1_000_000), diskReserve(10 ** 12)]).toEqual([50_000, 1024 ** 3])
})

test('numbers in settings have a maximum', () => {
  const values = Object.fromEntries(numericSettings.map((name) => [name, Number.MAX_SAFE_INTEGER]))
  const known = knownSettings({ hash: 'h', values })

  expect(numericSettings.map((name) => known[name])).toEqual([1_440, 43_200, 10_080, 90])
})

test('a line of the log has a maximum length', () => {
  const lines: string[] = []
  logTo({ log: (line) => lines.push(line) })
  onTestFinished(() => logTo({ log: print }))

  log('x'.repeat(1_000_000))

  expect(lines).toEqual([expect.stringMatching(/^x{4000}… \(996000 more characters\)$/)])
})
