import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { run } from '../../tools/package/run.ts'

const root = join(import.meta.dirname, '../..')
const client = join(root, 'client')

type Exports = Record<string, string>
type Manifest = { name: string; version: string; exports: Exports; [name: string]: unknown }

/**
 * Builds the package `@muster/client` for others: ECMAScript modules with their types. In this repository, programs use the
 * sources. Returns the path of the archive.
 */
export async function buildClientPackage(folder: string): Promise<string> {
  const contents = join(folder, 'contents')
  await rm(contents, { recursive: true, force: true })
  await mkdir(contents, { recursive: true })
  await compile(join(contents, 'dist'))
  await writeFile(join(contents, 'package.json'), `${JSON.stringify(await publishedManifest(), null, 2)}\n`)
  for (const file of [join(client, 'README.md'), join(root, 'LICENSE')]) await cp(file, join(contents, basename(file)))
  const { stdout } = await run('npm', ['pack', contents, '--pack-destination', folder, '--silent'], { cwd: folder })
  await rm(contents, { recursive: true })
  return join(folder, stdout.trim())
}

/** The compiler says on its output what is wrong. */
async function compile(folder: string): Promise<void> {
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  const project = join(client, 'tsconfig.build.json')
  await run(process.execPath, [compiler, '-p', project, '--outDir', folder]).catch((error: { stdout?: string }) => {
    throw new Error(`The client cannot be compiled.\n${error.stdout}`)
  })
}

/** What differs from the manifest of the workspace: the built files instead of the sources. */
async function publishedManifest(): Promise<Manifest> {
  const manifest = JSON.parse(await readFile(join(client, 'package.json'), 'utf8')) as Manifest
  const { private: _, exports, ...rest } = manifest
  const entries = Object.entries(exports).map(([name, source]) => [name, builtFiles(source)])
  return {
    ...rest,
    sideEffects: false,
    files: ['dist'],
    exports: { ...Object.fromEntries(entries), './package.json': './package.json' },
  }
}

function builtFiles(source: string) {
  const built = source.replace('./src/', './dist/').replace(/\.ts$/, '')
  return { types: `${built}.d.ts`, default: `${built}.js` }
}

if (import.meta.main) {
  const folder = join(root, 'artifacts/packages/client')
  await mkdir(folder, { recursive: true })
  console.log(await buildClientPackage(folder))
}
