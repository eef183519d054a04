import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { BackupError } from '../database/backup/backup-error.ts'
import { createBackup } from '../database/backup/create-backup.ts'
import { isDatabaseRunning } from '../database/embedded-postgres/find-running-postgres.ts'
import { openBesideService } from '../database/open-beside-service.ts'
import { readConfiguration } from '../platform/configuration.ts'
import { runCommand } from './run-command.ts'
import { inMegabytes, showProgress, summary } from './show-progress.ts'

const help = `Writes all data of Muster into FILE. The service may run meanwhile.

  npm run backup -- FILE

The database is found as the service finds it: MUSTER_DATABASE_URL, or else the one in MUSTER_DATA_DIR.
FILE appears when it is complete, and replaces a file of that name. It holds secrets: keep it like a key.`

await runCommand({
  help,
  async run({ file, signal }) {
    const configuration = readConfiguration(process.env)
    const { databaseUrl, dataDirectory } = configuration
    if (!databaseUrl && !(await isDatabaseRunning(dataDirectory)))
      throw new BackupError(`There is no database in ${dataDirectory}. Set MUSTER_DATA_DIR or MUSTER_DATABASE_URL.`)
    const began = performance.now()
    const path = resolve(file)
    const database = await openBesideService(configuration, { warn: console.error })
    try {
      const counts = await createBackup({ pool: database.pool, path, progress: showProgress(process.stderr), signal })
      const { size } = await stat(path)
      return `Saved ${summary(counts, performance.now() - began)} as ${path}, ${inMegabytes(size)}.`
    } finally {
      await database.close()
    }
  },
})
