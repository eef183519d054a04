import { resolve } from 'node:path'
import { restoreBackup } from '../database/backup/restore-backup.ts'
import type { ConnectedDatabase } from '../database/connect.ts'
import { openBesideService } from '../database/open-beside-service.ts'
import { readConfiguration } from '../platform/configuration.ts'
import { runCommand } from './run-command.ts'
import { showProgress, summary } from './show-progress.ts'

const help = `Replaces all data of Muster by what is in FILE, or changes nothing. The service may run meanwhile.

  npm run restore -- FILE [--force]

  --force   replace an installation that is in use

The database is found as the service finds it: MUSTER_DATABASE_URL, or else the one in MUSTER_DATA_DIR.
An empty database is filled, and migrated to this version. The file is checked as a whole before anything is changed.`

await runCommand({
  help,
  options: { force: { type: 'boolean' } },
  async run({ file, flags, signal }) {
    const configuration = readConfiguration(process.env)
    const began = performance.now()
    let database: ConnectedDatabase | undefined
    const openPool = async () => {
      database = await openBesideService(configuration, { warn: console.error })
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
      return `Restored ${summary(counts, performance.now() - began)}, as of ${header.createdAt}${migrations}.`
    } finally {
      await database?.close()
    }
  },
})
