import { spawnSync } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { lockFile } from '../src/credentials/lock-file.ts'

const folder = await mkdtemp(join(tmpdir(), 'muster-lock-'))
afterAll(() => rm(folder, { recursive: true }))
const path = join(folder, 'credentials.json.lock')
beforeEach(() => rm(path, { force: true }))

const lockOf = (pid: number, host = hostname()) => writeFile(path, JSON.stringify({ pid, host, id: 'other' }))

test('the lock of a process that has ended is taken over at once, by one command at a time', async () => {
  const { pid } = spawnSync(process.execPath, ['--version'])
  await lockOf(pid)
  let owners = 0
  let maxOwners = 0

  await Promise.all(
    Array.from({ length: 8 }, async () => {
      const unlock = await lockFile(path, { maxWaitMs: 20_000 })
      maxOwners = Math.max(maxOwners, ++owners)
      await new Promise((resolve) => setTimeout(resolve, 5))
      owners--
      await unlock()
    }),
  )

  expect(maxOwners).toBe(1)
  expect(await readdir(folder)).toEqual([])
})

test('the lock of a running process is not taken over, however old it is', async () => {
  await lockOf(process.pid)

  await expect(lockFile(path, { maxWaitMs: 200, abandonedMs: 0 })).rejects.toThrow(`(process ${process.pid}) keeps`)
  expect(await readFile(path, 'utf8')).toContain('other')
})

test('a lock whose owner is unknown is left after a time', async () => {
  await writeFile(path, '')
  const unlock = await lockFile(path, { abandonedMs: 100 })
  await unlock()
  await lockOf(1, 'another-computer')

  await expect(lockFile(path, { maxWaitMs: 100, abandonedMs: 60_000 })).rejects.toThrow('Another command keeps')
})

test('only the owner releases a lock', async () => {
  const unlock = await lockFile(path)
  await lockOf(process.pid)

  await unlock()

  expect(await readFile(path, 'utf8')).toContain('other')
})
