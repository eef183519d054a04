import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { recordPackages } from '../../tools/bundled-packages.ts'
import { isOutdated } from '../../tools/is-outdated.ts'
import { programs } from '../src/installation/files.ts'

const server = join(import.meta.dirname, '..')
const bundle = join(server, 'dist')
const sources = ['src', 'tools', 'package.json', '../package-lock.json', '../packages/text/src'].map((path) =>
  join(server, path),
)

/** Packages that the bundle imports from node_modules. */
export const externalPackages = [
  // Starts its threads from a file beside its own.
  'piscina',
]

/** Packages that other packages import if they are installed. They are not. */
const absentPackages = ['pg-native']

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
    onLog(_level, log) {
      throw new Error(log.message)
    },
    output: {
      dir: unfinished,
      format: 'esm',
      entryFileNames: '[name].js',
      chunkFileNames: 'chunks/[name].js',
      sourcemap: true,
      // Some packages, and our threads, use the names of functions and classes.
      keepNames: true,
    },
  })
  await rm(bundle, { recursive: true, force: true })
  await rename(unfinished, bundle)
}
