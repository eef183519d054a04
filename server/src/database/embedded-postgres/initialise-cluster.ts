import { chown, lchown, mkdtemp, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { DatabaseHome } from './database-home.ts'
import { EmbeddedPostgresError } from './embedded-postgres-error.ts'
import type { PostgresBinaries } from './postgres-binaries.ts'
import { runAs } from './server-user.ts'

/** Makes sure that the home holds a cluster of the major version of the binaries. */
export async function initialiseCluster(
  home: DatabaseHome,
  binaries: PostgresBinaries,
  report: (phase: string) => void,
): Promise<void> {
  const major = await readFile(join(home.cluster, 'PG_VERSION'), 'utf8').catch(() => undefined)
  if (major === undefined) {
    report('initdb')
    await makeCluster(home, binaries)
  } else if (major.trim() !== binaries.major) {
    throw new EmbeddedPostgresError(
      'other-major-version',
      `The database in ${home.directory} was made by PostgreSQL ${major.trim()}; this Muster brings PostgreSQL ` +
        `${binaries.major}. Start the Muster version used before, save the data with "npm run backup -- FILE", then ` +
        'restore FILE into a new data directory with this version.',
    )
  } else {
    await giveToServerUser(home)
  }
}

/** A cluster that root copied or restored belongs to root, and PostgreSQL would refuse it. */
async function giveToServerUser({ cluster, user }: DatabaseHome): Promise<void> {
  if (!user.drop || (await stat(cluster)).uid === user.drop.uid) return
  const { uid, gid } = user.drop
  const entries = await readdir(cluster, { recursive: true })
  for (const entry of entries) await lchown(join(cluster, entry), uid, gid)
  await chown(cluster, uid, gid)
}

/** In a temporary folder that is renamed at the end, so that an interrupted initdb leaves no half cluster. */
async function makeCluster(home: DatabaseHome, binaries: PostgresBinaries): Promise<void> {
  const interrupted = (await readdir(home.directory)).filter((entry) => entry.startsWith('initdb-'))
  await Promise.all(interrupted.map((entry) => rm(join(home.directory, entry), { recursive: true, maxRetries: 5 })))

  const unfinished = await mkdtemp(join(home.directory, 'initdb-'))
  if (home.user.drop) await chown(unfinished, home.user.drop.uid, home.user.drop.gid)
  const initdb = await runAs(home.user, binaries.initdb, [
    `--pgdata=${unfinished}`,
    '--username=muster',
    // Only the owner of the 0700 socket folder reaches the socket; nobody may come over the network.
    '--auth-local=trust',
    '--auth-host=reject',
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--data-checksums',
    '--no-instructions',
  ])
  if (!initdb.ok) {
    await rm(unfinished, { recursive: true, force: true, maxRetries: 5 })
    throw new EmbeddedPostgresError('initdb-failed', `initdb could not make the database:\n${initdb.output}`)
  }
  await rename(unfinished, home.cluster)
  const folder = await open(home.directory, 'r')
  await folder.sync()
  await folder.close()
}
