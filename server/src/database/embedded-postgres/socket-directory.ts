import { chmod, chown, lstat, mkdir, mkdtemp, readlink, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DatabaseHome } from './database-home.ts'
import { EmbeddedPostgresError } from './embedded-postgres-error.ts'
import { canReach, type ServerUser } from './server-user.ts'

export const socketPort = 5432

// sun_path holds 108 bytes on Linux and 104 on macOS, with the closing zero.
const longestPath = process.platform === 'linux' ? 107 : 103

/** Whoever can enter this folder is the database's superuser, therefore only the server user (and root) can. */
export async function makeSocketDirectory(home: DatabaseHome): Promise<{ path: string; remove(): Promise<void> }> {
  const place = join(home.directory, 'socket')
  await removeSocketDirectory(place)
  if (fits(place)) {
    await mkdir(place)
    await reserve(place, home.user)
    return { path: place, remove: () => removeSocketDirectory(place) }
  }
  const path = await makeShortDirectory(home.user)
  // So that the next start finds and removes it if this process is killed.
  await symlink(path, place)
  return { path, remove: () => removeSocketDirectory(place) }
}

async function makeShortDirectory(user: ServerUser): Promise<string> {
  for (const parent of [tmpdir(), '/tmp']) {
    if (!fits(join(parent, 'muster-XXXXXX')) || !(await canReach(user, parent))) continue
    const path = await mkdtemp(join(parent, 'muster-'))
    await reserve(path, user)
    return path
  }
  throw new EmbeddedPostgresError('start-failed', 'No temporary folder has a path short enough for a unix socket.')
}

async function reserve(path: string, user: ServerUser): Promise<void> {
  await chmod(path, 0o700)
  if (user.drop) await chown(path, user.drop.uid, user.drop.gid)
}

async function removeSocketDirectory(place: string): Promise<void> {
  const existing = await lstat(place).catch(() => undefined)
  if (!existing) return
  const path = existing.isSymbolicLink() ? await readlink(place) : place
  await rm(path, { recursive: true, force: true })
  await rm(place, { force: true })
}

function fits(directory: string): boolean {
  return Buffer.byteLength(join(directory, `.s.PGSQL.${socketPort}`)) <= longestPath
}
