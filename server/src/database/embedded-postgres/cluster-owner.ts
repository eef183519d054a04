import { lchown, lstat, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { DatabaseHome } from './database-home.ts'
import { EmbeddedPostgresError } from './embedded-postgres-error.ts'
import type { Account } from './server-account.ts'

/** Contains the previous owner while the files of the cluster get another one. */
const markerOf = (home: DatabaseHome) => join(home.directory, 'previous-owner')

/**
 * Whether the cluster belongs to a user other than the one who runs PostgreSQL: older versions ran it as `nobody`, root
 * may have copied it, and the ids of another machine differ.
 */
export async function hasOtherOwner(home: DatabaseHome): Promise<boolean> {
  if (!home.user.drop) return false
  const owner = (await lstat(await realpath(home.cluster))).uid
  return owner !== home.user.drop.uid || (await findPreviousOwner(home)) !== undefined
}

/** Gives the cluster to the user who runs PostgreSQL. Continues after an interruption. No server may be running. */
export async function changeClusterOwner(home: DatabaseHome): Promise<void> {
  const account = home.user.drop
  if (!account) return
  const cluster = await realpath(home.cluster)
  const previous = (await findPreviousOwner(home)) ?? (await lstat(cluster)).uid
  await writeFile(markerOf(home), String(previous), { mode: 0o600 })
  await changeOwner(cluster, previous, account)
  await rm(markerOf(home))
}

async function findPreviousOwner(home: DatabaseHome): Promise<number | undefined> {
  const text = await readFile(markerOf(home), 'utf8').catch(() => '')
  return /^\d+$/.test(text) ? Number(text) : undefined
}

/**
 * Parents first: once a folder has its new owner, the previous one can no longer replace what is in it with a link to
 * somebody else's file. A hard link that was created before has another owner, or more than one name. Of a symbolic
 * link, only the link itself changes.
 */
async function changeOwner(path: string, previous: number, account: Account): Promise<void> {
  const found = await lstat(path)
  const hasExpectedOwner = found.isSymbolicLink() || found.uid === previous || found.uid === account.uid
  if (!hasExpectedOwner || (found.isFile() && found.nlink > 1))
    throw new EmbeddedPostgresError(
      'data-directory-unusable',
      `${path} is not a file of the database: it belongs to uid ${found.uid} and has ${found.nlink} names. ` +
        'Move it away and start again.',
    )
  await lchown(path, account.uid, account.gid)
  if (!found.isDirectory()) return
  for (const entry of await readdir(path)) await changeOwner(join(path, entry), previous, account)
}
