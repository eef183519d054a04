import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { BackupError } from '../database/backup/backup-error.ts'
import { createBackup } from '../database/backup/create-backup.ts'
import { hasEmbeddedDatabase } from '../database/embedded-postgres/find-running-postgres.ts'
import { openDatabaseForCommand } from '../database/open-for-command.ts'
import { readConfiguration } from '../platform/configuration.ts'
import { runCommand } from './run-command.ts'
import { formatMegabytes, formatSummary, showProgress } from './show-progress.ts'

const help = `Back up all data of Muster to FILE. The service may be running.

  npm run backup -- FILE

The command uses the same database as the service: that of MUSTER_DATABASE_URL, or else the one in MUSTER_DATA_DIR.
FILE is created once the backup is complete, and replaces an existing file of that name. It contains secrets: protect it
like a key.`

await runCommand({
  help,
  async run({ file, signal }) {
    const configuration = readConfiguration(process.env)
    const { databaseUrl, dataDirectory } = configuration
    if (!databaseUrl && !(await hasEmbeddedDatabase(dataDirectory)))
      throw new BackupError(`There is no database in ${dataDirectory}. Set MUSTER_DATA_DIR or MUSTER_DATABASE_URL.`)
    const start = performance.now()
    const path = resolve(file)
    const database = await openDatabaseForCommand(configuration, { warn: console.error })
    try {
      const counts = await createBackup({ pool: database.pool, path, progress: showProgress(process.stderr), signal })
      const { size } = await stat(path)
      return `Saved ${formatSummary(counts, performance.now() - start)} to ${path} (${formatMegabytes(size)}).`
    } finally {
      await database.close()
    }
  },
})
