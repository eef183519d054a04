import { mkdir, readdir, stat, utimes, writeFile } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { FakeServer } from './fake-server.ts'
import { sha256 } from './given-work.ts'
import { openWorld } from './world.ts'

const big = Buffer.alloc(300_000, 'a package file ')
const install = { shell: 'cp big "$ROOT/got"' }
const isFile = (path: string) => path.includes('/files/')

/** Sends a part of what was promised, then hangs up. */
function breakOff(answer: ServerResponse, content: Buffer, bytes: number): true {
  answer.writeHead(200, { 'content-length': String(content.length), etag: `"${sha256(content)}"` })
  answer.write(content.subarray(0, bytes), () => setTimeout(() => answer.destroy(), 20))
  return true
}

test('a download that is cut off continues where it stopped', async () => {
  const { server, runOnce, left } = await openWorld()
  const workId = server.give({ commands: { install }, files: { big } })
  let isBroken = false
  server.interfere = ({ path }, answer) => {
    if (!isFile(path) || isBroken) return false
    isBroken = true
    return breakOff(answer, big, 100_000)
  }

  await runOnce()

  expect(server.resultOf(workId)).toMatchObject({ status: 'Success' })
  expect(left('got')).toBe(big.toString())
  const [first, ...later] = server.calls.filter(({ path }) => isFile(path)).map(({ range }) => range)
  expect(first).toBeUndefined()
  expect(new Set(later)).toEqual(new Set(['bytes=100000-']))
})

test('depots are tried in their order, then the server, until one delivers the right content', async () => {
  const { server, runOnce } = await openWorld()
  const empty = await new FakeServer().open()
  const corrupted = await new FakeServer().open()
  corrupted.interfere = (_, answer) => {
    answer.end(Buffer.alloc(big.length, 'something else '))
    return true
  }
  const depots = [{ url: 'http://127.0.0.1:9' }, { url: empty.url }, { url: `${corrupted.url}/` }]
  const workId = server.give({ commands: { install }, files: { big }, depots })

  await runOnce()
  await empty.close()
  await corrupted.close()

  expect(server.resultOf(workId)).toMatchObject({ status: 'Success' })
  expect(empty.calls.map(({ path }) => path)).toEqual([`/files/${sha256(big)}`])
  expect(corrupted.calls).toHaveLength(1)
  expect(server.calls.filter(({ path }) => isFile(path)).map(({ range }) => range)).toEqual([undefined])
})

test('the server is not asked for a file that a depot has', async () => {
  const { server, runOnce } = await openWorld()
  const depot = await new FakeServer().open()
  depot.give({ files: { big } })
  const workId = server.give({ commands: { install }, files: { big }, depots: [{ url: depot.url }] })

  await runOnce()
  await depot.close()

  expect(server.resultOf(workId)).toMatchObject({ status: 'Success' })
  expect(server.calls.some(({ path }) => isFile(path))).toBe(false)
})

test('depots that follow the server are tried only when the server does not deliver the file', async () => {
  const { server, runOnce } = await openWorld()
  const depot = await new FakeServer().open()
  depot.give({ files: { big } })
  const given = { commands: { install }, files: { big }, depotsAfterServer: [{ url: depot.url }] }
  server.interfere = ({ path }, answer) => {
    if (!isFile(path)) return false
    answer.writeHead(404).end()
    return true
  }
  const workId = server.give(given)

  await runOnce()
  await depot.close()

  expect(server.resultOf(workId)).toMatchObject({ status: 'Success' })
  expect(server.calls.some(({ path }) => isFile(path))).toBe(true)
  expect(depot.calls.map(({ path }) => path)).toEqual([`/files/${sha256(big)}`])
})

test('corrupted, oversized and missing files fail the work, and its command does not run', async () => {
  const { server, runOnce, left, stored } = await openWorld()
  const commands = { install: { shell: 'touch "$ROOT/ran"' } }
  const entry = (content: string, size = content.length) => [{ path: 'f', size, sha256: sha256(content) }]
  const corrupted = server.give({ commands, fileList: entry('corrupted') })
  const long = server.give({ commands, files: { f: 'too long' }, fileList: entry('too long', 3) })
  const missing = server.give({ commands, fileList: entry('missing') })
  server.interfere = ({ path }, answer) => {
    if (!path.endsWith(`/files/${sha256('corrupted')}`)) return false
    answer.end('CORRUPTED')
    return true
  }

  await runOnce()

  expect(server.resultOf(corrupted)?.errorText).toContain('its SHA-256 does not match')
  expect(server.resultOf(long)?.errorText).toContain('longer than 3 bytes')
  expect(server.resultOf(missing)?.errorText).toContain('FileNotHanded')
  expect(server.results.map(({ status }) => status)).toEqual(['Failed', 'Failed', 'Failed'])
  expect(left('ran')).toBeUndefined()
  expect(await stored()).not.toContain('CORRUPTED')
})

test.each([
  '../escaped',
  '/tmp/muster-agent-escaped',
  'a/../../escaped',
  'a/./b',
  'a//b',
  '..\\escaped',
  'C:escaped',
  'a\0b',
  'a\nb',
  '',
  '.',
  `${'a'.repeat(300)}`,
])('the path %j of a file is refused before anything is fetched', async (path) => {
  const { requireValidFiles } = await import('../src/files/package-folder.ts')

  expect(() => requireValidFiles([{ path, size: 1, sha256: sha256('x') }])).toThrow('A path in the list of files')
})

test('a file list with a path outside the package folder fails the work', async () => {
  const { server, runOnce, left } = await openWorld()
  const fileList = [
    { path: 'good', size: 1, sha256: sha256('x') },
    { path: '../../../escaped', size: 1, sha256: sha256('x') },
  ]
  const workId = server.give({ files: { good: 'x' }, fileList })
  const strangeHash = server.give({ fileList: [{ path: 'good', size: 1, sha256: '../../identity.json' }] })

  await runOnce()

  expect(server.resultOf(workId)?.errorText).toContain(`'.' or '..'`)
  expect(server.resultOf(strangeHash)?.errorText).toContain('files[0].sha256 is not a SHA-256')
  expect(left('escaped')).toBeUndefined()
  expect(server.calls.some(({ path }) => isFile(path))).toBe(false)
})

test('a cached file is not fetched again unless a command has changed it', async () => {
  const { server, runOnce, left } = await openWorld()
  server.give({ commands: { install }, files: { big, copy: big } })
  server.give({
    commands: { install: { shell: 'cp big "$ROOT/got"; echo changed >> big; cat copy > "$ROOT/copy"' } },
    files: { big, copy: big },
  })
  server.give({ commands: { install }, files: { big } })

  await runOnce()

  expect(server.calls.filter(({ path }) => isFile(path))).toHaveLength(2)
  expect(server.results.map(({ status }) => status)).toEqual(['Success', 'Success', 'Success'])
  expect(left('got')).toBe(big.toString())
  expect(left('copy')).toBe(big.toString())
})

test('a full disk fails the work with a clear message, and the result is reported', async () => {
  const { server, inShell } = await openWorld()
  const workId = server.give({ commands: { install }, files: { big } })
  const next = server.give()

  // The ballast of the journal takes 256 KiB; a unit of ulimit has 512 bytes.
  const { code } = await inShell('ulimit -f 560; exec "$@"', 'run', '--once').ended

  expect(code).toBe(0)
  expect(server.resultOf(workId)).toMatchObject({
    status: 'Failed',
    errorText: `The disk is full: 'big' could not be written.`,
  })
  expect(server.resultOf(next)).toMatchObject({ status: 'Success' })
})

test('a package that does not fit on the disk is not started', async () => {
  const { server, runOnce } = await openWorld()
  const fileList = [{ path: 'f', size: Number.MAX_SAFE_INTEGER, sha256: sha256('x') }]
  const workId = server.give({ fileList })

  await runOnce()

  expect(server.resultOf(workId)?.errorText).toContain('The disk is full: the package needs')
})

test('a download that takes longer than its setting allows fails the work', async () => {
  const { server, runOnce } = await openWorld()
  server.settings = { hash: 's', values: { downloadTimeLimitMinutes: 0.005 } }
  const workId = server.give({ files: { big } })
  server.interfere = ({ path }, answer) => {
    if (!isFile(path)) return false
    answer.writeHead(200).write('a')
    return true
  }

  await runOnce()

  expect(server.resultOf(workId)?.errorText).toContain('time limit of 0.005 minutes')
})

test('downloads not used for keepDownloadsDays are removed, and package folders at once', async () => {
  const { server, runOnce, state } = await openWorld()
  server.settings = { hash: 's', values: { keepDownloadsDays: 3 } }
  const days = (count: number) => new Date(Date.now() - count * 86_400_000)
  for (const [name, age] of [
    ['old', 4],
    ['young', 2],
  ] as const) {
    await mkdir(join(state, 'cache', 'aa'), { recursive: true })
    await writeFile(join(state, 'cache', 'aa', name), '')
    await utimes(join(state, 'cache', 'aa', name), days(age), days(age))
  }
  await mkdir(join(state, 'packages', '5-1-1'), { recursive: true })

  await runOnce()

  expect(await readdir(join(state, 'cache', 'aa'))).toEqual(['young'])
  expect(await readdir(join(state, 'packages'))).toEqual([])
})

test('package files are executable, and no other user can read the state folder', async () => {
  const { server, runOnce, state } = await openWorld()
  const workId = server.give({
    commands: { install: { argv: ['./run-me'] } },
    files: { 'run-me': '#!/bin/sh\necho ran\n' },
  })

  await runOnce()

  expect(server.resultOf(workId)).toMatchObject({ output: 'ran\n' })
  expect((await stat(state)).mode & 0o777).toBe(0o700)
})

test('a part of a hundred megabytes is continued, though hashing it takes a while', async () => {
  const { server, runOnce, state } = await openWorld()
  const content = Buffer.alloc(130_000_000, 'a large package file ')
  const present = 128_000_000
  const workId = server.give({ commands: { install: { shell: 'true' } }, files: { content } })
  await mkdir(join(state, 'incoming'))
  await writeFile(join(state, 'incoming', sha256(content)), content.subarray(0, present))

  await runOnce()

  expect(server.resultOf(workId)).toMatchObject({ status: 'Success' })
  expect(server.calls.filter(({ path }) => isFile(path)).map(({ range }) => range)).toEqual([`bytes=${present}-`])
})
