import { createHash } from 'node:crypto'
import { chmod, lstat, mkdir, mkdtemp, realpath, rmdir, stat, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { EmbeddedPostgresError } from './embedded-postgres-error.ts'
import { canReach, findServerUser, type ServerUser } from './server-user.ts'

/**
 * Everything of the embedded server lies in one folder, the home, which is `postgres` in the data directory.
 * When root starts Muster with a data directory that nobody cannot enter, `postgres` is a symbolic link to a
 * folder below /var/lib/muster that only root can change.
 */
export type DatabaseHome = {
  directory: string
  cluster: string
  user: ServerUser
  /** Marks the processes of this home. Made of device and inode: it survives a move and differs for a copy. */
  id: string
}

const reachableBase = '/var/lib/muster'

export async function openDatabaseHome(dataDirectory: string, warn: (message: string) => void): Promise<DatabaseHome> {
  await makeFolder(dataDirectory, 0o711)
  const place = join(await realpath(dataDirectory), 'postgres')
  const directory = await findOrMakeHome(place, warn)
  const cluster = join(directory, 'cluster')
  const { dev, ino, uid } = await stat(directory, { bigint: true })
  // For root too: in a folder that another user can change, links could lead our writing anywhere.
  if (uid !== BigInt(process.getuid?.() ?? 0)) throw ownedByAnother(directory, uid)
  const user = await findServerUser(cluster)
  if (!(await canReach(user, directory))) throw unreachable(directory)
  const id = `muster-${createHash('sha256').update(`${dev}:${ino}`).digest('hex').slice(0, 16)}`
  return { directory, cluster, user, id }
}

async function findOrMakeHome(place: string, warn: (message: string) => void): Promise<string> {
  const existing = await lstat(place).catch(() => undefined)
  if (existing?.isSymbolicLink()) return await followLink(place)
  if (existing) return place

  const user = await findServerUser(place)
  if (await canReach(user, dirname(place))) return await makeHome(place)
  return await makeReachableHome(place, warn)
}

async function followLink(place: string): Promise<string> {
  return await realpath(place).catch(() => {
    throw new EmbeddedPostgresError(
      'data-directory-unusable',
      `The database of this data directory is missing: ${place} points to a folder that is not there. ` +
        'Bring that folder back, or remove the link to begin with an empty database.',
    )
  })
}

async function makeHome(directory: string): Promise<string> {
  await makeFolder(directory, process.getuid?.() === 0 ? 0o711 : 0o700)
  return directory
}

async function makeFolder(directory: string, mode: number): Promise<void> {
  const made = await mkdir(directory, { recursive: true })
  // Explicitly, because the umask may forbid the passage that the server user needs.
  if (made) await chmod(directory, mode)
}

async function makeReachableHome(place: string, warn: (message: string) => void): Promise<string> {
  await makeFolder(reachableBase, 0o711).catch(() => {
    throw unreachable(place)
  })
  const base = await lstat(reachableBase)
  if (!base.isDirectory() || base.uid !== 0 || (base.mode & 0o022) !== 0) {
    throw new EmbeddedPostgresError(
      'data-directory-unusable',
      `${reachableBase} must be a folder only root can change.`,
    )
  }
  // A fresh name each time: who deletes a data directory must not meet the old data again.
  const directory = await mkdtemp(join(reachableBase, 'database-'))
  await chmod(directory, 0o711)
  try {
    await symlink(directory, place)
  } catch (error) {
    await rmdir(directory)
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return await followLink(place)
    throw error
  }
  warn(`PostgreSQL runs as nobody, who cannot enter ${dirname(place)}: the database lies in ${directory}.`)
  return directory
}

function unreachable(directory: string): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    'data-directory-unusable',
    `PostgreSQL does not run as root, and the user it runs as cannot enter ${directory}. ` +
      'Open the path for it (chmod o+x), choose another MUSTER_DATA_DIR, or set MUSTER_DATABASE_URL.',
  )
}

function ownedByAnother(directory: string, uid: bigint): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    'data-directory-unusable',
    `${directory} belongs to another user (uid ${uid}). Start Muster as that user, or choose another MUSTER_DATA_DIR.`,
  )
}
