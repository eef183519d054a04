import { chmod, chown, lstat, mkdir, mkdtemp, readlink, rm, rmdir, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DatabaseHome } from './database-home.ts'
import { EmbeddedPostgresError } from './embedded-postgres-error.ts'
import { canReach, type ServerUser } from './server-user.ts'
import { unusablePathError } from './unusable-paths.ts'

export const socketPort = 5432

// sun_path has 108 bytes on Linux and 104 on macOS, including the terminating zero.
const maxSocketPathBytes = process.platform === 'linux' ? 107 : 103

/** Only the server user and root can enter this folder. PostgreSQL checks again who connects. */
export async function createSocketDirectory(home: DatabaseHome): Promise<{ path: string; remove(): Promise<void> }> {
  const location = join(home.directory, 'socket')
  await removeSocketDirectory(location)
  if (isShortEnough(location)) {
    await mkdir(location)
    await restrictTo(location, home.user)
    return { path: location, remove: () => removeAtStop(location) }
  }
  const path = await createShortDirectory(home.user)
  // The link lets the next start find and remove the folder if this process is killed.
  await symlink(path, location)
  return { path, remove: () => removeAtStop(location) }
}

async function createShortDirectory(user: ServerUser): Promise<string> {
  for (const parent of [tmpdir(), '/tmp']) {
    if (!isShortEnough(join(parent, 'muster-XXXXXX')) || !(await canReach(user, parent))) continue
    const path = await mkdtemp(join(parent, 'muster-'))
    await restrictTo(path, user)
    return path
  }
  throw new EmbeddedPostgresError(
    'start-failed',
    'No temporary folder has a path that is short enough for a Unix socket. Set TMPDIR to a shorter path.',
  )
}

async function restrictTo(path: string, user: ServerUser): Promise<void> {
  await chmod(path, 0o700)
  if (user.drop) await chown(path, user.drop.uid, user.drop.gid)
}

/** What cannot be removed does not prevent a clean stop; the next start reports it. */
async function removeAtStop(location: string): Promise<void> {
  await removeSocketDirectory(location).catch(() => undefined)
}

/** Removes what an earlier start created, and refuses anything else. */
async function removeSocketDirectory(location: string): Promise<void> {
  const existing = await lstat(location).catch(() => undefined)
  if (!existing) return
  const path = existing.isSymbolicLink() ? await readlink(location) : location
  if (existing.isSymbolicLink() && !/^\/.*\/muster-\w{6}$/.test(path))
    throw unusablePathError(location, `points to ${path}, which is not a socket folder of Muster`)
  for (const file of [`.s.PGSQL.${socketPort}`, `.s.PGSQL.${socketPort}.lock`])
    await rm(join(path, file), { force: true }).catch(refuse(location))
  await rmdir(path).catch(refuse(location))
  if (existing.isSymbolicLink()) await rm(location)
}

function refuse(location: string): (error: NodeJS.ErrnoException) => void {
  return (error) => {
    // The temporary folder may have been cleaned up.
    if (error.code !== 'ENOENT')
      throw unusablePathError(location, `is not a socket folder of Muster (${error.message})`)
  }
}

function isShortEnough(directory: string): boolean {
  return Buffer.byteLength(join(directory, `.s.PGSQL.${socketPort}`)) <= maxSocketPathBytes
}
