import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import description from '../package.json' with { type: 'json' }

const repository = join(import.meta.dirname, '..')

export type BundleName = 'agent-linux' | 'agent-win32' | 'cli' | 'console' | 'service'

const recordOf = (bundle: BundleName) => join(repository, 'node_modules/.cache/bundled-packages', `${bundle}.json`)

type Chunk = { type: 'chunk'; moduleIds: string[] } | { type: 'asset' }

/** Records which packages of npm are in a bundle, as a plugin of Rolldown or Vite. */
export const recordPackages = (bundle: BundleName) => ({
  name: 'bundled-packages',
  async generateBundle(_options: unknown, files: Record<string, Chunk>): Promise<void> {
    const modules = Object.values(files).flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))
    const paths = [...new Set(modules.flatMap((id) => lockPathOf(id) ?? []))].sort()
    await mkdir(dirname(recordOf(bundle)), { recursive: true })
    await writeFile(recordOf(bundle), JSON.stringify(paths))
  },
})

/** The packages in the bundle as it was built last, as the lock file names them. */
export async function readBundledPackages(bundle: BundleName): Promise<string[]> {
  return JSON.parse(await readFile(recordOf(bundle), 'utf8'))
}

// `node_modules` may be a link to that of another checkout.
const inAnyCheckout = new RegExp(`/((?:(?:${description.workspaces.join('|')})/)?node_modules/.*)`)

/** The package of a module, such as `node_modules/fastify`; undefined for our own code and for what the bundler adds. */
function lockPathOf(moduleId: string): string | undefined {
  const path = relative(repository, moduleId)
  const inside = path.startsWith('..') ? (inAnyCheckout.exec(moduleId)?.[1] ?? '') : path
  return /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(inside)?.[0]
}
