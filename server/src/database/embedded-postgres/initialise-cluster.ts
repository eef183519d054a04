import { chown, mkdtemp, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { databaseRole } from './authentication-rules.ts'
import type { DatabaseHome } from './database-home.ts'
import { EmbeddedPostgresError } from './embedded-postgres-error.ts'
import type { PostgresBinaries } from './postgres-binaries.ts'
import { runAs } from './server-user.ts'

/** Ensures that the home contains a cluster of the same major version as the binaries. */
export async function initialiseCluster(
  home: DatabaseHome,
  binaries: PostgresBinaries,
  report: (phase: string) => void,
): Promise<void> {
  const major = await findMajorVersion(home)
  if (major === undefined) {
    report('ran initdb')
    await createCluster(home, binaries)
  } else if (major !== binaries.major) {
    throw new EmbeddedPostgresError(
      'other-major-version',
      `The database in ${home.directory} was created by PostgreSQL ${major}, but this version of Muster contains ` +
        `PostgreSQL ${binaries.major}. Start the previous version of Muster, back up the data with ` +
        '"npm run backup -- FILE", and restore FILE into a new data directory with this version.',
    )
  }
}

/** The major version of the cluster, or undefined if there is none yet. */
async function findMajorVersion({ cluster }: DatabaseHome): Promise<string | undefined> {
  const entries = await readdir(cluster).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw damagedError(cluster, error.message)
  })
  if (entries.length === 0) return undefined
  const version = await readFile(join(cluster, 'PG_VERSION'), 'utf8').catch((error: Error) => {
    throw damagedError(cluster, error.message)
  })
  if (!/^\d+\n?$/.test(version)) throw damagedError(cluster, 'the file PG_VERSION contains no version')
  return version.trim()
}

function damagedError(cluster: string, reason: string): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    'data-directory-unusable',
    `The database in ${cluster} is damaged: ${reason}. ` +
      'Restore the folder, or move it away to start with an empty database.',
  )
}

/** Runs initdb in a temporary folder and renames it at the end so that an interruption leaves no incomplete cluster. */
async function createCluster(home: DatabaseHome, binaries: PostgresBinaries): Promise<void> {
  const interrupted = (await readdir(home.directory)).filter((entry) => entry.startsWith('initdb-'))
  await Promise.all(interrupted.map((entry) => rm(join(home.directory, entry), { recursive: true, maxRetries: 5 })))

  const unfinished = await mkdtemp(join(home.directory, 'initdb-'))
  if (home.user.drop) await chown(unfinished, home.user.drop.uid, home.user.drop.gid)
  const initdb = await runAs(home.user, binaries.initdb, [
    `--pgdata=${unfinished}`,
    `--username=${databaseRole}`,
    // The rules of the home replace those of the cluster. Without them, nobody could connect.
    '--auth=reject',
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--data-checksums',
    '--no-instructions',
  ])
  if (!initdb.ok) {
    await rm(unfinished, { recursive: true, force: true, maxRetries: 5 })
    throw new EmbeddedPostgresError('initdb-failed', `initdb could not create the database:\n${initdb.output}`)
  }
  await rename(unfinished, home.cluster)
  const folder = await open(home.directory, 'r')
  await folder.sync()
  await folder.close()
}
