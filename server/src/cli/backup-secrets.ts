import { readFile } from 'node:fs/promises'
import { BackupError } from '../database/backup/backup-error.ts'
import type { BackupSecret } from '../database/backup/encryption.ts'
import type { KeyFile } from '../platform/keys/key-file.ts'

const minPassphraseLength = 12

export function toBackupSecret(keyFile: KeyFile): BackupSecret {
  return { kind: 'key file', id: keyFile.id, derive: (salt) => keyFile.derive('backup', salt) }
}

/** The first line of the file. */
export async function readPassphrase(path: string): Promise<BackupSecret> {
  const [passphrase = ''] = (await readFile(path, 'utf8')).split(/\r?\n/)
  if (passphrase.length < minPassphraseLength)
    throw new BackupError(`The passphrase in ${path} must have at least ${minPassphraseLength} characters.`)
  return { kind: 'passphrase', passphrase }
}
