import { open, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { toBackupSecret } from '../../../src/cli/backup-secrets.ts'
import { openBackupSource } from '../../../src/database/backup/backup-source.ts'
import { createBackup } from '../../../src/database/backup/create-backup.ts'
import type { BackupSecret } from '../../../src/database/backup/encryption.ts'
import { openServerKeys } from '../../../src/platform/authentication/server-keys.ts'
import { readKeyFile } from '../../../src/platform/keys/key-file.ts'
import { newKeyFile } from '../../platform/keys/key-files.ts'
import { copyOfTemplate } from '../../world/test-database.ts'
import { temporaryFolder } from '../embedded-postgres/muster.ts'
import { databaseEnvironment, silentProgress, start, startRestore, waitForSuccess } from './commands.ts'
import { emptyDatabase, fillAuditTrail, migratedDatabase } from './databases.ts'
import { fingerprint, removeRestoreEntry } from './fingerprint.ts'

const source = await copyOfTemplate()
await fillAuditTrail(source, 500)
await openServerKeys(source.db)
const environment = databaseEnvironment(source)

async function backUp(args: string[] = [], settings: Record<string, string> = {}): Promise<string> {
  const file = join(await temporaryFolder(), 'muster.backup')
  await waitForSuccess(start('cli/backup', [file, ...args], { ...environment, ...settings }))
  return file
}

async function newPassphrase(passphrase: string): Promise<string> {
  const file = join(await temporaryFolder(), 'passphrase')
  await writeFile(file, `${passphrase}\n`)
  return file
}

/** Decrypts the whole file. The checksum inside is not looked at: the encryption itself must notice every change. */
async function decrypt(file: string, secret: BackupSecret): Promise<string> {
  const handle = await open(file)
  return await openBackupSource(handle, [secret])
    .then((backup) => Array.fromAsync(backup.chunks()))
    .then(() => 'valid')
    .catch((error: Error) => `${error.name}: ${error.message}`)
    .finally(() => handle.close())
}

const passphrase = 'correct horse battery'

test('with a passphrase, a backup is unreadable without it, and a restore with it is identical', async () => {
  const file = await backUp(['--passphrase-file', await newPassphrase(passphrase)])
  const target = await emptyDatabase()
  const to = databaseEnvironment(target)

  const without = await startRestore(file, to).ended
  const wrong = await startRestore(file, to, ['--passphrase-file', await newPassphrase('incorrect horse')]).ended
  const touched = await target.pool.query(`select from pg_tables where schemaname = 'public'`)
  await waitForSuccess(startRestore(file, to, ['--passphrase-file', await newPassphrase(passphrase)]))

  expect((await readFile(file)).includes(Buffer.from([0x28, 0xb5, 0x2f, 0xfd]))).toBe(false)
  expect(without).toMatchObject({ code: 1, output: expect.stringContaining('Add --passphrase-file FILE') })
  expect(wrong).toMatchObject({ code: 1, output: expect.stringContaining('The passphrase is wrong') })
  expect(touched.rowCount).toBe(0)
  await removeRestoreEntry(target.pool)
  expect(await fingerprint(target.pool)).toEqual(await fingerprint(source.pool))
})

test('a passphrase that is too short to protect anything is refused', async () => {
  const short = await newPassphrase('short')

  const { code, output } = await start('cli/backup', ['/nowhere/x', '--passphrase-file', short], environment).ended

  expect(code).toBe(1)
  expect(output).toContain('at least 12 characters')
})

test('an encrypted backup whose chunks were cut off, exchanged, repeated or changed is refused', async () => {
  const secret = toBackupSecret(readKeyFile(await newKeyFile()))
  const file = join(await temporaryFolder(), 'muster.backup')
  const { signal } = new AbortController()
  await createBackup({ pool: source.pool, path: file, secret, progress: silentProgress, signal })
  const bytes = await readFile(file)
  const start = 12 + bytes.readUInt32BE(8)
  const length = 64 * 1024 + 16
  const chunk = (number: number) => bytes.subarray(start + number * length, start + (number + 1) * length)
  const head = bytes.subarray(0, start)
  const chunks = Array.from({ length: Math.ceil((bytes.length - start) / length) }, (_, number) => chunk(number))
  const changed = Buffer.from(bytes)
  changed.writeUInt8(changed.readUInt8(start + length + 5) ^ 1, start + length + 5)
  const otherHeader = Buffer.from(bytes)
  const saltAt = bytes.indexOf('"salt":"') + 8
  otherHeader.write(bytes.toString('latin1', saltAt, saltAt + 1) === 'A' ? 'B' : 'A', saltAt)
  const [first = head, second = head, ...rest] = chunks

  expect(chunks.length).toBeGreaterThan(3)
  expect(await decrypt(file, secret)).toBe('valid')
  for (const damaged of [
    Buffer.concat([head, ...chunks.slice(0, -1)]),
    Buffer.concat([head, first]),
    head,
    bytes.subarray(0, bytes.length - 1),
    bytes.subarray(0, start - 5),
    Buffer.concat([head, second, first, ...rest]),
    Buffer.concat([head, first, first, ...rest]),
    Buffer.concat([head, ...chunks, chunks.at(-1) ?? head]),
    changed,
    otherHeader,
  ]) {
    await writeFile(file, damaged)
    expect(await decrypt(file, secret)).toMatch(/^BackupError: The backup file is damaged/)
  }
})

test('with a key file, backups are encrypted by default, and another key file cannot restore them', async () => {
  const [own, foreign] = [await newKeyFile(), await newKeyFile()]
  await openServerKeys(source.db, readKeyFile(own))
  const file = await backUp([], { MUSTER_KEY_FILE: own })
  const plain = await backUp(['--plain'], { MUSTER_KEY_FILE: own })
  const target = await emptyDatabase()
  const to = databaseEnvironment(target)
  const { id } = readKeyFile(own)

  const refusals = await Promise.all([
    startRestore(file, to).ended,
    startRestore(file, { ...to, MUSTER_KEY_FILE: foreign }).ended,
  ])
  const plainWrong = await startRestore(plain, { ...to, MUSTER_KEY_FILE: foreign }).ended
  const touched = await target.pool.query(`select from pg_tables where schemaname = 'public'`)

  for (const refused of refusals)
    expect(refused).toMatchObject({ code: 1, output: expect.stringContaining(`encrypted with the key file ${id}`) })
  // The keys in it are wrapped, even if the file itself is not encrypted.
  expect(plainWrong).toMatchObject({ code: 1, output: expect.stringContaining(`protected by the key file ${id}`) })
  expect(touched.rowCount).toBe(0)
  await waitForSuccess(startRestore(file, { ...to, MUSTER_KEY_FILE: own }))
  const keysOf = async (db: typeof source.db, path: string) => {
    const keys = await openServerKeys(db, readKeyFile(path))
    return keys.hashSecret('secret').toString('hex')
  }
  expect(await keysOf(target.db, own)).toBe(await keysOf(source.db, own))

  // An installation with another key file takes over the keys.
  const elsewhere = await migratedDatabase()
  await waitForSuccess(
    startRestore(file, { ...databaseEnvironment(elsewhere), MUSTER_KEY_FILE: foreign }, ['--key-file', own]),
  )
  expect(await keysOf(elsewhere.db, foreign)).toBe(await keysOf(source.db, own))
  await expect(keysOf(elsewhere.db, own)).rejects.toThrow('protected by the key file')
})
