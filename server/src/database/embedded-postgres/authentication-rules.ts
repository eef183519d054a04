import { chmod, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import type { DatabaseHome } from './database-home.ts'
import { EmbeddedPostgresError } from './embedded-postgres-error.ts'

/** The role of Muster in the database. It has no password. */
export const databaseRole = 'muster'

const mapName = 'muster'

/** Settings that name the files with the rules. */
export type AuthenticationSettings = { hba_file: string; ident_file: string }

/**
 * Writes the rules that decide who can connect: the operating system names the user at the other end of the socket, and
 * only root and the user who runs Muster may use the role. The files are in the home, which the server user cannot
 * change. They are used instead of those of the cluster.
 */
export async function writeAuthenticationRules(home: DatabaseHome): Promise<AuthenticationSettings> {
  const users = new Set(['root', findUserName()])
  const rules = `local all ${databaseRole} peer map=${mapName}\n`
  const map = [...users].map((user) => `${mapName} "${user.replaceAll('"', '""')}" ${databaseRole}\n`)
  const [hbaFile, identFile] = [join(home.directory, 'pg_hba.conf'), join(home.directory, 'pg_ident.conf')]
  await replaceFile(hbaFile, rules)
  await replaceFile(identFile, map.join(''))
  await removeTrustingRules(home)
  return { hba_file: hbaFile, ident_file: identFile }
}

/** Older versions created clusters whose own rules trust every local user. They would apply to a server started by hand. */
async function removeTrustingRules({ cluster }: DatabaseHome): Promise<void> {
  const path = join(cluster, 'pg_hba.conf')
  const rules = await readFile(path, 'utf8').catch(() => '')
  if (/^[^#\n]*\btrust\b/m.test(rules)) await rm(path)
}

/** The server user has to read the files, and they contain no secret. */
async function replaceFile(path: string, content: string): Promise<void> {
  const unfinished = `${path}.new`
  await rm(unfinished, { force: true })
  await writeFile(unfinished, content, { flag: 'wx' })
  // Set explicitly, because the umask may remove it.
  await chmod(unfinished, 0o644)
  await rename(unfinished, path)
}

function findUserName(): string {
  try {
    return userInfo().username
  } catch {
    throw new EmbeddedPostgresError(
      'start-failed',
      `The user who starts Muster (uid ${process.getuid?.()}) has no name in the list of accounts, so PostgreSQL cannot ` +
        'recognise it. Add an account for it, or set MUSTER_DATABASE_URL.',
    )
  }
}
