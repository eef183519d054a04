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

test('an installer is read in a thread, and several are read one after the other', async () => {
  const file = await makeDeb()

  const read = await Promise.all([readInstallerInWorker(file), readInstallerInWorker(file)])

  expect(read).toMatchObject([{ name: 'sample' }, { name: 'sample', version: '1.0' }])
})

test('a fault of a file has the code that the reader gave it', async () => {
  const file = join(folder, 'text.txt')
  await writeFile(file, 'text')

  await expect(readInstallerInWorker(file)).rejects.toMatchObject({ name: 'InstallerFault', code: 'unknownFormat' })
  await expect(readInstallerInWorker(join(folder, 'missing'))).rejects.toMatchObject({ code: 'notAFile' })
})

test('a file that takes longer than its time limit is refused', async () => {
  const file = await makeDeb()

  await expect(readInstallerInWorker(file, { ...defaultInstallerLimits, timeLimitMs: 0 })).rejects.toMatchObject({
    code: 'tooSlow',
  })
})

test('more files than may wait are refused at once', async () => {
  const file = await makeDeb()

  const outcomes = await Promise.allSettled(Array.from({ length: 7 }, () => readInstallerInWorker(file)))

  expect(outcomes.filter(({ status }) => status === 'rejected')).toMatchObject([
    { reason: { name: 'NoPlaceFree' } },
    { reason: { name: 'NoPlaceFree' } },
  ])
}, 120_000)
