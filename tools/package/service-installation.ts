import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Models } from '@cyclonedx/cyclonedx-library'
import { externalPackages } from '../../server/tools/service-bundle.ts'
import { readBundledPackages } from '../bundled-packages.ts'
import { withoutDebugSections } from './agent-elf.ts'
import { type Architecture, nodeProgram } from './agent-node.ts'
import { listWithDependencies, nodeComponent, npmComponents, postgresComponents } from './components.ts'
import { run } from './run.ts'
import { copyPostgres } from './service-postgres.ts'

const repository = join(import.meta.dirname, '../..')

/** Builds what every installation of the service contains, whatever its architecture. */
export async function buildService(): Promise<void> {
  await run('npm', ['run', '--silent', 'build'], { cwd: repository })
}

/**
 * Lays out the folder of an installation of the built service: everything that it needs at run time, with its own Node and
 * PostgreSQL. The layout is that of a checkout, which `server/src/installation/files.ts` knows.
 */
export async function layOutInstallation(installation: string, architecture: Architecture): Promise<void> {
  // Source maps are for developers: the bundle keeps the names of functions and files.
  const filter = (path: string) => !path.endsWith('.map')
  const copy = (path: string) => cp(join(repository, path), join(installation, path), { recursive: true, filter })
  await copy('server/package.json')
  await copy('server/dist')
  await copy('server/migrations')
  await copy('console/dist')
  // The first steps of the console begin with it.
  await copy('examples/packages/greeting')
  for (const name of externalPackages) await copyPackage(name, installation)
  await copyPostgres(architecture, installation)
  await mkdir(join(installation, 'bin'))
  const node = withoutDebugSections(await nodeProgram(architecture))
  await writeFile(join(installation, 'bin/node'), node, { mode: 0o755 })
}

/** What `layOutInstallation` puts into an installation, beside our own code. */
export async function listServiceComponents(architecture: Architecture): Promise<Models.Component[]> {
  const bundled = [await readBundledPackages('service'), await readBundledPackages('console')]
  const packages = [...bundled.flat(), ...externalPackages.flatMap(listWithDependencies)]
  return [...npmComponents(packages), ...postgresComponents(architecture), nodeComponent(architecture)]
}

/** Copies a package of npm and those that it needs. Optional ones only make it faster or are for other platforms. */
async function copyPackage(name: string, installation: string): Promise<void> {
  const path = join('node_modules', name)
  await cp(join(repository, path), join(installation, path), { recursive: true, verbatimSymlinks: true })
  const { dependencies = {} } = await readManifest(join(repository, path))
  for (const dependency of Object.keys(dependencies)) await copyPackage(dependency, installation)
}

export async function readServiceVersion(): Promise<string> {
  return process.env.MUSTER_PACKAGE_VERSION ?? (await readManifest(join(repository, 'server'))).version
}

type Manifest = { version: string; dependencies?: Record<string, string> }

async function readManifest(folder: string): Promise<Manifest> {
  return JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
}
