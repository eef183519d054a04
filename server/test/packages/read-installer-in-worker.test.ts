import { execFile } from 'node:child_process'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { defaultInstallerLimits } from '@muster/installers'
import { afterAll, expect, test } from 'vitest'
import { readInstallerInWorker } from '../../src/features/packages/installers/read-installer-in-worker.ts'
import { openTemporaryFolder } from '../world/temporary-folder.ts'

const run = promisify(execFile)
const folder = await openTemporaryFolder()
afterAll(() => rm(folder, { recursive: true }))

const control = 'Package: sample\nVersion: 1.0\nArchitecture: all\nMaintainer: A <a@example.org>\nDescription: sample\n'

async function makeDeb(): Promise<string> {
  await mkdir(join(folder, 'deb/DEBIAN'), { recursive: true })
  await writeFile(join(folder, 'deb/DEBIAN/control'), control)
  await run('dpkg-deb', ['--root-owner-group', '-Zxz', '--build', 'deb', 'sample.deb'], { cwd: folder })
  return join(folder, 'sample.deb')
}

test('a fault of a file has the code that the reader gave it', async () => {
  const file = join(folder, 'text.txt')
  await writeFile(file, 'text')

  await expect(readInstallerInWorker(file)).rejects.toMatchObject({ name: 'InstallerFault', code: 'unknownFormat' })
})

test('the name of the vendor counts, not that of the file where it is stored', async () => {
  const file = join(folder, '0123456789')
  await writeFile(file, '@echo off\r\n')

  const facts = await readInstallerInWorker(file, defaultInstallerLimits, 'setup-1.2.cmd')

  expect(facts).toMatchObject({ format: 'script', interpreter: 'cmd', fileName: 'setup-1.2.cmd' })
})

test('a file that takes longer than its time limit is refused', async () => {
  const file = await makeDeb()

  await expect(readInstallerInWorker(file, { ...defaultInstallerLimits, timeLimitMs: 0 })).rejects.toMatchObject({
    code: 'tooSlow',
  })
})

test('installers are read one after the other, and more than may wait are refused at once', async () => {
  const file = await makeDeb()

  const outcomes = await Promise.allSettled(Array.from({ length: 7 }, () => readInstallerInWorker(file)))

  const refused = { status: 'rejected', reason: { name: 'NoPlaceFree' } }
  const read = { status: 'fulfilled', value: { name: 'sample', version: '1.0' } }
  expect(outcomes).toMatchObject([...Array(5).fill(read), ...Array(2).fill(refused)])
}, 120_000)
