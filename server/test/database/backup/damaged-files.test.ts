import { copyFile, open, readFile, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { verifyBackup } from '../../../src/database/backup/read-backup.ts'
import { copyOfTemplate } from '../../world/test-database.ts'
import { sharedFolder, temporaryFolder } from '../embedded-postgres/muster.ts'
import { onDatabaseOf, startBackup, startRestore, succeeded } from './commands.ts'
import { fillAuditTrail } from './databases.ts'
import { fingerprint } from './fingerprint.ts'

const source = await copyOfTemplate()
await fillAuditTrail(source, 500)
const environment = onDatabaseOf(source)
const before = await fingerprint(source.pool)

const folder = sharedFolder()
let made: Promise<string> | undefined

/** A copy of one backup, for a test to damage. */
async function newBackup(): Promise<string> {
  const original = join(folder.path, 'muster.backup')
  made ??= succeeded(startBackup(original, environment))
  await made
  const file = join(await temporaryFolder(), 'muster.backup')
  await copyFile(original, file)
  return file
}

async function verified(file: string): Promise<string> {
  const handle = await open(file)
  return await verifyBackup(handle, () => undefined, new AbortController().signal)
    .then(() => 'in order')
    .catch((error: Error) => `${error.name}: ${error.message}`)
    .finally(() => handle.close())
}

test('only its owner can read a backup, which holds secrets', async () => {
  const file = join(await temporaryFolder(), 'muster.backup')

  await succeeded(startBackup(file, environment))
  const { mode } = await stat(file)

  expect(mode & 0o777).toBe(0o600)
})

test('a file that was cut is refused before anything changes', async () => {
  const file = await newBackup()
  await truncate(file, (await stat(file)).size - 1)

  const { code, told } = await startRestore(file, environment, ['--force']).ended

  expect(code).toBe(1)
  expect(told).toContain('The backup file is damaged')
  expect(await fingerprint(source.pool)).toEqual(before)
})

test('a flipped bit is found before anything changes', async () => {
  const file = await newBackup()
  const bytes = await readFile(file)
  bytes.writeUInt8(bytes.readUInt8(bytes.length >> 1) ^ 1, bytes.length >> 1)
  await writeFile(file, bytes)

  const { code, told } = await startRestore(file, environment, ['--force']).ended

  expect(code).toBe(1)
  expect(told).toContain('The backup file is damaged')
  expect(await fingerprint(source.pool)).toEqual(before)
})

test('wherever a file is cut or changed, it is refused', async () => {
  const file = await newBackup()
  const bytes = await readFile(file)
  const places = [...Array(40).keys()].flatMap((n) => [n, bytes.length - 1 - n, Math.floor((bytes.length * n) / 40)])

  const answers: string[] = []
  for (const place of places) {
    await writeFile(file, bytes.subarray(0, place))
    const cut = await verified(file)
    const changed = Buffer.from(bytes)
    changed.writeUInt8(changed.readUInt8(place) ^ 0x10, place)
    await writeFile(file, changed)
    const flipped = await verified(file)
    answers.push(cut, flipped)
  }

  expect(answers.filter((answer) => !answer.startsWith('BackupError: '))).toEqual([])
})

test('a file that is no backup is named as such', async () => {
  const file = join(await temporaryFolder(), 'letter.txt')
  await writeFile(file, 'Dear Sir or Madam')

  const { code, told } = await startRestore(file, environment, ['--force']).ended

  expect(code).toBe(1)
  expect(told).toContain('not a backup of Muster')
  expect(await fingerprint(source.pool)).toEqual(before)
})

test('a call without a file explains itself', async () => {
  const { code, told } = await startRestore('--force', environment).ended

  expect(code).toBe(2)
  expect(told).toContain('npm run restore -- FILE')
})
