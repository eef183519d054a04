import { constants, copyFile, cp, lstat, mkdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { here, launcherSource, packageName } from './muster.ts'

/**
 * Creates a separate checkout with everything the launcher needs, in a folder that only some users can reach. The
 * binaries of the platform are in the state in which npm leaves them when it runs no install scripts.
 */
export async function makeCheckout(folder: string): Promise<{ checkout: string; native: string }> {
  const checkout = join(folder, 'checkout')
  const modules = join(checkout, 'node_modules')
  await mkdir(modules, { recursive: true })
  await writeFile(join(checkout, 'package.json'), JSON.stringify({ type: 'module' }))
  await copyFile(process.execPath, join(checkout, 'node'), constants.COPYFILE_FICLONE)
  await cp(launcherSource, join(checkout, 'embedded-postgres'), { recursive: true })
  await cp(join(here, 'run-launcher.ts'), join(checkout, 'run-launcher.ts'))
  await copyPackage('pg', import.meta.url, modules)
  await copyPackage(packageName, import.meta.url, modules)
  return { checkout, native: join(modules, packageName, 'native') }
}

async function copyPackage(name: string, from: string, modules: string): Promise<void> {
  const folder = packageFolder(createRequire(from).resolve(name), name)
  await cp(folder, join(modules, name), {
    recursive: true,
    filter: async (source) => !(await lstat(source)).isSymbolicLink(),
  })
  const manifest = join(folder, 'package.json')
  const { dependencies = {} } = JSON.parse(await readFile(manifest, 'utf8'))
  for (const dependency of Object.keys(dependencies)) await copyPackage(dependency, manifest, modules)
}

function packageFolder(file: string, name: string): string {
  const end = file.lastIndexOf(join('node_modules', name)) + join('node_modules', name).length
  return dirname(join(file.slice(0, end), 'package.json'))
}
