import { createHash } from 'node:crypto'
import { chmod, lstat, mkdir, mkdtemp, realpath, rmdir, stat, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { EmbeddedPostgresError } from './embedded-postgres-error.ts'
import { canReach, findServerUser, type ServerUser } from './server-user.ts'
import { unusablePathError } from './unusable-paths.ts'

/**
 * The folder with all files of the embedded server: `postgres` in the data directory. If root starts Muster and the
 * user who runs PostgreSQL cannot enter the data directory, `postgres` is a symbolic link to a folder in /var/lib/muster
 * that only root can change.
 */
export type DatabaseHome = {
  directory: string
  cluster: string
  user: ServerUser
  /** Marks the processes of this home. Derived from device and inode, so it survives a move and differs for a copy. */
  id: string
}

const reachableBase = '/var/lib/muster'

export async function openDatabaseHome(dataDirectory: string, warn: (message: string) => void): Promise<DatabaseHome> {
  await createFolder(dataDirectory, 0o711)
  const path = join(await realpath(dataDirectory), 'postgres')
  const user = await findServerUser(warn)
  const directory = await findOrCreateHome(path, user, warn)
  const cluster = join(directory, 'cluster')
  const found = await stat(directory, { bigint: true })
  if (!found.isDirectory()) throw unusablePathError(directory, 'is not a folder')
  const { dev, ino, uid } = found
  // Also for root: in a folder that another user can change, a symbolic link could redirect our writes anywhere.
  if (uid !== BigInt(process.getuid?.() ?? 0)) throw wrongOwnerError(directory, uid)
  if (!(await canReach(user, directory))) throw unreachableError(directory)
  const id = `muster-${createHash('sha256').update(`${dev}:${ino}`).digest('hex').slice(0, 16)}`
  return { directory, cluster, user, id }
}

async function findOrCreateHome(path: string, user: ServerUser, warn: (message: string) => void): Promise<string> {
  const existing = await lstat(path).catch(() => undefined)
  if (existing?.isSymbolicLink()) return await followLink(path)
  if (existing) return path
  if (await canReach(user, dirname(path))) return await createHome(path)
  return await createReachableHome(path, warn)
}

async function followLink(path: string): Promise<string> {
  return await realpath(path).catch(() => {
    throw new EmbeddedPostgresError(
      'data-directory-unusable',
      `The database of this data directory is missing: ${path} points to a folder that does not exist. ` +
        'Restore that folder, or remove the link to start with an empty database.',
    )
  })
}

async function createHome(directory: string): Promise<string> {
  await createFolder(directory, process.getuid?.() === 0 ? 0o711 : 0o700)
  return directory
}

async function createFolder(directory: string, mode: number): Promise<void> {
  const created = await mkdir(directory, { recursive: true })
  // Set explicitly, because the umask may remove the access that the server user needs.
  if (created) await chmod(directory, mode)
}

async function createReachableHome(path: string, warn: (message: string) => void): Promise<string> {
  await createFolder(reachableBase, 0o711).catch(() => {
    throw unreachableError(path)
  })
  const base = await lstat(reachableBase)
  if (!base.isDirectory() || base.uid !== 0 || (base.mode & 0o022) !== 0) {
    throw new EmbeddedPostgresError(
      'data-directory-unusable',
      `${reachableBase} must be a folder that only root can change.`,
    )
  }
  // A new name each time so that deleting the data directory never brings back old data.
  const directory = await mkdtemp(join(reachableBase, 'database-'))
  await chmod(directory, 0o711)
  try {
    await symlink(directory, path)
  } catch (error) {
    await rmdir(directory)
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return await followLink(path)
    throw error
  }
  warn(`PostgreSQL runs as a user who cannot enter ${dirname(path)}. The database is in ${directory}.`)
  return directory
}

function unreachableError(directory: string): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    'data-directory-unusable',
    `PostgreSQL does not run as root, and the user it runs as cannot enter ${directory}. ` +
      'Give it access (chmod o+x), set another MUSTER_DATA_DIR, or set MUSTER_DATABASE_URL.',
  )
}

function wrongOwnerError(directory: string, uid: bigint): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    'data-directory-unusable',
    `${directory} belongs to another user (uid ${uid}). Start Muster as that user, or set another MUSTER_DATA_DIR.`,
  )
}
