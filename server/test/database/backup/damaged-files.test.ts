import { copyFile, open, readFile, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openBackupSource } from '../../../src/database/backup/backup-source.ts'
import { verifyBackup } from '../../../src/database/backup/read-backup.ts'
import { copyOfTemplate } from '../../world/test-database.ts'
import { sharedFolder, temporaryFolder } from '../embedded-postgres/muster.ts'
import { databaseEnvironment, startBackup, startRestore, waitForSuccess, writeBackup } from './commands.ts'
import { fillAuditTrail } from './databases.ts'
import { fingerprint } from './fingerprint.ts'

const source = await copyOfTemplate()
await fillAuditTrail(source, 500)
const environment = databaseEnvironment(source)
const before = await fingerprint(source.pool)

const folder = sharedFolder()
let original: Promise<string> | undefined

/** A copy of the same backup for each test, which the test may damage. */
async function newBackup(): Promise<string> {
  const path = join(folder.path, 'muster.backup')
  original ??= writeBackup(source, path)
  await original
  const file = join(await temporaryFolder(), 'muster.backup')
  await copyFile(path, file)
  return file
}

async function verify(file: string): Promise<string> {
  const handle = await open(file)
  return await openBackupSource(handle)
    .then((source) => verifyBackup(source, () => undefined, new AbortController().signal))
    .then(() => 'valid')
    .catch((error: Error) => `${error.name}: ${error.message}`)
    .finally(() => handle.close())
}

test('a backup contains secrets, so only its owner can read it', async () => {
  const file = join(await temporaryFolder(), 'muster.backup')

  await waitForSuccess(startBackup(file, environment))
  const { mode } = await stat(file)

  expect(mode & 0o777).toBe(0o600)
})

test('a truncated backup is refused before anything changes', async () => {
  const file = await newBackup()
  await truncate(file, (await stat(file)).size - 1)

  const { code, output } = await startRestore(file, environment, ['--force']).ended

  expect(code).toBe(1)
  expect(output).toContain('The backup file is damaged')
  expect(await fingerprint(source.pool)).toEqual(before)
})

test('a backup with a flipped bit is refused before anything changes', async () => {
  const file = await newBackup()
  const bytes = await readFile(file)
  bytes.writeUInt8(bytes.readUInt8(bytes.length >> 1) ^ 1, bytes.length >> 1)
  await writeFile(file, bytes)

  const { code, output } = await startRestore(file, environment, ['--force']).ended

  expect(code).toBe(1)
  expect(output).toContain('The backup file is damaged')
  expect(await fingerprint(source.pool)).toEqual(before)
})

test('a backup that is truncated or changed at any position is refused', async () => {
  const file = await newBackup()
  const bytes = await readFile(file)
  const positions = [...Array(40).keys()].flatMap((n) => [n, bytes.length - 1 - n, Math.floor((bytes.length * n) / 40)])

  const answers: string[] = []
  for (const position of positions) {
    await writeFile(file, bytes.subarray(0, position))
    const truncated = await verify(file)
    const changed = Buffer.from(bytes)
    changed.writeUInt8(changed.readUInt8(position) ^ 0x10, position)
    await writeFile(file, changed)
    const flippedBit = await verify(file)
    answers.push(truncated, flippedBit)
  }

  expect(answers.filter((answer) => !answer.startsWith('BackupError: '))).toEqual([])
})

test('a file that is not a backup is refused with a message that says so', async () => {
  const file = join(await temporaryFolder(), 'letter.txt')
  await writeFile(file, 'To whom it may concern')

  const { code, output } = await startRestore(file, environment, ['--force']).ended

  expect(code).toBe(1)
  expect(output).toContain('not a backup of Muster')
  expect(await fingerprint(source.pool)).toEqual(before)
})

test('the restore command prints its help if no file is given', async () => {
  const { code, output } = await startRestore('--force', environment).ended

  expect(code).toBe(2)
  expect(output).toContain('npm run restore -- FILE')
})
