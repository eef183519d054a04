import { resolve } from 'node:path'
import { restoreBackup } from '../database/backup/restore-backup.ts'
import type { ConnectedDatabase } from '../database/connect.ts'
import { openDatabaseForCommand } from '../database/open-for-command.ts'
import { readConfiguration } from '../platform/configuration.ts'
import { runCommand } from './run-command.ts'
import { formatSummary, showProgress } from './show-progress.ts'

const help = `Replace all data of Muster with the backup in FILE. The service may be running.

  npm run restore -- FILE [--force]

  --force   replace an installation that is in use

The command uses the same database as the service: that of MUSTER_DATABASE_URL, or else the one in MUSTER_DATA_DIR.
It verifies the whole file first, restores it in one transaction, and migrates the data to this version of Muster. If
anything fails, nothing is changed.`

await runCommand({
  help,
  options: { force: { type: 'boolean' } },
  async run({ file, flags, signal }) {
    const configuration = readConfiguration(process.env)
    const start = performance.now()
    let database: ConnectedDatabase | undefined
    const openPool = async () => {
      database = await openDatabaseForCommand(configuration, { warn: console.error })
      return database.pool
    }
    try {
      const { header, migrated, ...counts } = await restoreBackup({
        openPool,
        path: resolve(file),
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
