import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { printError } from '@muster/text/print'
import { BackupError } from '../database/backup/backup-error.ts'
import { createBackup } from '../database/backup/create-backup.ts'
import type { BackupSecret } from '../database/backup/encryption.ts'
import { recordBackup } from '../database/backup/record-backup.ts'
import { hasEmbeddedDatabase } from '../database/embedded-postgres/find-running-postgres.ts'
import { openDatabaseForCommand } from '../database/open-for-command.ts'
import { readConfiguration } from '../platform/configuration.ts'
import type { KeyFile } from '../platform/keys/key-file.ts'
import { readPassphrase, toBackupSecret } from './backup-secrets.ts'
import { runCommand } from './run-command.ts'
import { formatMegabytes, formatSummary, showProgress } from './show-progress.ts'

const help = `Back up all data of Muster to FILE. The service may be running.

  npm run backup -- FILE [--passphrase-file FILE | --plain]

  --passphrase-file FILE   encrypt the backup with the passphrase in the first line of FILE
  --plain                  do not encrypt the backup

With MUSTER_KEY_FILE, the backup is encrypted with that key file by default, and without it not at all.

The command uses the same database as the service: that of MUSTER_DATABASE_URL, or else the one in MUSTER_DATA_DIR.
FILE is created once the backup is complete, and replaces an existing file of that name. Without encryption, it contains
secrets: protect it like a key.`

async function findSecret(flags: Record<string, unknown>, keyFile: KeyFile | undefined) {
  const passphraseFile = flags['passphrase-file']
  if (typeof passphraseFile === 'string') {
    if (flags.plain) throw new BackupError('Use --passphrase-file or --plain, not both.')
    return readPassphrase(passphraseFile)
  }
  return keyFile && !flags.plain ? toBackupSecret(keyFile) : undefined
}

function describeEncryption(secret: BackupSecret | undefined): string {
  if (!secret) return 'not encrypted'
  return secret.kind === 'key file' ? `encrypted with the key file ${secret.id}` : 'encrypted with a passphrase'
}

/** The backup is good nevertheless: the database may be a read-only copy, or still have an older schema. */
function warnOfRecord(error: Error): void {
  printError(`The overview of the console will not show this backup: ${error.message}`)
}

await runCommand({
  help,
  options: { 'passphrase-file': { type: 'string' }, plain: { type: 'boolean' } },
  async run({ file, flags, signal }) {
    const configuration = readConfiguration(process.env)
    const { databaseUrl, dataDirectory, keyFile } = configuration
    const secret = await findSecret(flags, keyFile)
    if (!databaseUrl && !(await hasEmbeddedDatabase(dataDirectory)))
      throw new BackupError(`There is no database in ${dataDirectory}. Set MUSTER_DATA_DIR or MUSTER_DATABASE_URL.`)
    const start = performance.now()
    const path = resolve(file)
    const database = await openDatabaseForCommand(configuration, { warn: printError })
    try {
      const progress = showProgress(process.stderr)
      const counts = await createBackup({ pool: database.pool, path, secret, progress, signal })
      const { size } = await stat(path)
      await recordBackup(database.pool).catch(warnOfRecord)
      const summary = formatSummary(counts, performance.now() - start)
      return `Saved ${summary} to ${path} (${formatMegabytes(size)}, ${describeEncryption(secret)}).`
    } finally {
      await database.close()
    }
  },
})
