import { userInfo } from 'node:os'
import { basename, resolve } from 'node:path'
import { printError } from '@muster/text/print'
import type pg from 'pg'
import type { BackupSecret } from '../database/backup/encryption.ts'
import type { Header } from '../database/backup/format.ts'
import { type ReplacedTrail, restoreBackup } from '../database/backup/restore-backup.ts'
import type { ConnectedDatabase } from '../database/connect.ts'
import { openDatabaseForCommand } from '../database/open-for-command.ts'
import { currentRole, grantRuntimeRights } from '../database/runtime-role.ts'
import { type Configuration, readConfiguration } from '../platform/configuration.ts'
import { readKeyFile } from '../platform/keys/key-file.ts'
import { adoptRestoredKeys } from '../platform/keys/restored-keys.ts'
import { readPassphrase, toBackupSecret } from './backup-secrets.ts'
import { runCommand } from './run-command.ts'
import { formatSummary, showProgress } from './show-progress.ts'

const help = `Replace all data of Muster with the backup in FILE. The service may be running.

  npm run restore -- FILE [--force] [--passphrase-file FILE] [--key-file FILE]

  --force                  replace an installation that is in use
  --passphrase-file FILE   the passphrase of an encrypted backup is in the first line of FILE
  --key-file FILE          the key file with which the backup was made, if MUSTER_KEY_FILE is another one

The command uses the same database as the service: that of MUSTER_DATABASE_URL, or else the one in MUSTER_DATA_DIR. With
MUSTER_DATABASE_OWNER_URL, it connects as that owner. It verifies the whole file first, restores it in one transaction,
and migrates the data to this version of Muster. If anything fails, nothing is changed. The restore is audited.`

type Restore = { header: Header; replaced: ReplacedTrail }

/** The restored trail begins with who restored it, and where the replaced one ended. */
async function auditRestore(client: pg.ClientBase, file: string, { header, replaced }: Restore): Promise<void> {
  const details = { file: basename(file), backupCreatedAt: header.createdAt, replacedTrail: replaced }
  await client.query(`select append_audit_entry(null, $1, 'restoreBackup', '/', $2::jsonb, 200::smallint, '')`, [
    `operator ${userInfo().username}`,
    JSON.stringify(details),
  ])
}

/** The tables may have been created again, as the owner. */
async function grantRightsToService(client: pg.ClientBase, configuration: Configuration): Promise<void> {
  if (!configuration.databaseOwnerUrl) return
  const service = await openDatabaseForCommand(configuration)
  const role = await currentRole(service.pool).finally(() => service.close())
  await grantRuntimeRights(client, role)
}

await runCommand({
  help,
  options: { force: { type: 'boolean' }, 'passphrase-file': { type: 'string' }, 'key-file': { type: 'string' } },
  async run({ file, flags, signal }) {
    const configuration = readConfiguration(process.env)
    const { 'passphrase-file': passphraseFile, 'key-file': keyFilePath } = flags
    const keyFileOfBackup = typeof keyFilePath === 'string' ? readKeyFile(keyFilePath) : undefined
    const secrets: BackupSecret[] = [configuration.keyFile, keyFileOfBackup].flatMap((keyFile) =>
      keyFile ? [toBackupSecret(keyFile)] : [],
    )
    if (typeof passphraseFile === 'string') secrets.push(await readPassphrase(passphraseFile))
    const start = performance.now()
    let database: ConnectedDatabase | undefined
    const openPool = async () => {
      database = await openDatabaseForCommand(configuration, { warn: printError, asOwner: true })
      return database.pool
    }
    try {
      const { header, migrated, ...counts } = await restoreBackup({
        openPool,
        path: resolve(file),
        secrets,
        async finish(client, restored) {
          await adoptRestoredKeys(client, configuration.keyFile, keyFileOfBackup)
          await auditRestore(client, file, restored)
          await grantRightsToService(client, configuration)
        },
        force: flags.force === true,
        progress: showProgress(process.stderr),
        signal,
      })
      const migrations = migrated.length > 0 ? ` and applied ${migrated.length} newer migrations` : ''
      return `Restored ${formatSummary(counts, performance.now() - start)}, created at ${header.createdAt}${migrations}.`
    } finally {
      await database?.close()
    }
  },
})
