import { copyFile, mkdir, realpath, rename, rm } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import { recordPackages } from '../../tools/bundled-packages.ts'
import { isOutdated } from '../../tools/is-outdated.ts'
import { documentFonts } from '../src/features/reports/documents/fonts.ts'
import { fontFile, programs } from '../src/installation/files.ts'

const server = join(import.meta.dirname, '..')
const bundle = join(server, 'dist')
const packages = ['desired-state', 'installers', 'package-format', 'schema', 'signing', 'text'].map(
  (name) => `../packages/${name}/src`,
)
const sources = ['src', 'tools', 'package.json', '../package-lock.json', '../client/src', ...packages].map((path) =>
  join(server, path),
)

/** Packages that the bundle imports from node_modules. */
export const externalPackages = [
  // Starts its threads from a file beside its own.
  'piscina',
]

/** Packages that other packages import if they are installed. They are not. */
const absentPackages = ['pg-native']

const repository = join(server, '..')

/**
 * Names sources in maps by their place in the repository so that the bundle does not depend on the folder in which it is
 * built. The packages may be linked to those of another checkout.
 */
async function pathsWithinRepository(): Promise<(source: string, mapPath: string) => string> {
  const checkouts = [repository, dirname(await realpath(join(repository, 'node_modules')))]
  return (source, mapPath) => {
    const path = resolve(dirname(mapPath), source)
    const checkout = checkouts.find((folder) => path.startsWith(`${folder}/`))
    if (checkout === undefined) throw new Error(`The bundle has a source outside of the repository: ${path}`)
    return relative(dirname(mapPath), join(repository, relative(checkout, path)))
  }
}

export async function ensureBundle(): Promise<void> {
  if (await isOutdated(join(bundle, 'main.js'), sources)) await buildBundle()
}

/**
 * Makes one bundle of all programs of the service. It starts in a third of the time, because Node neither searches and reads
 * some thousand files nor removes types from them. Programs share the modules that they have in common.
 */
export async function buildBundle(): Promise<void> {
  // Loaded here, because most callers of `ensureBundle` find the bundle up to date.
  const { build } = await import('rolldown')
  const unfinished = `${bundle}-unfinished-${process.pid}`
  await build({
    input: Object.fromEntries(programs.map((program) => [program, join(server, 'src', `${program}.ts`)])),
    platform: 'node',
    plugins: [recordPackages('service')],
    external: [...externalPackages, ...absentPackages],
    // Comments with the paths of modules would differ between folders.
    experimental: { attachDebugInfo: 'none' },
    onLog(_level, log) {
      throw new Error(log.message)
    },
    output: {
      dir: unfinished,
      format: 'esm',
      entryFileNames: '[name].js',
      chunkFileNames: 'chunks/[name].js',
      sourcemap: true,
      sourcemapPathTransform: await pathsWithinRepository(),
      // Some packages, and our threads, use the names of functions and classes.
      keepNames: true,
    },
  })
  await mkdir(join(unfinished, 'fonts'))
  for (const name of Object.values(documentFonts)) await copyFile(fontFile(name), join(unfinished, 'fonts', name))
  await copyFile(fontFile('../LICENSE'), join(unfinished, 'fonts/LICENSE'))
  await rm(bundle, { recursive: true, force: true })
  await rename(unfinished, bundle)
}
