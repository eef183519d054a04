import { execFile } from 'node:child_process'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const root = join(import.meta.dirname, '../..')
const built = join(root, 'console/dist/index.html')
const sources = [
  'console/src',
  'client/src',
  'console/tools',
  'console/index.html',
  'console/vite.config.ts',
  'console/package.json',
]

/** Builds the console before the tests if its sources have changed. */
export async function setup(): Promise<void> {
  const [newest, builtAt] = await Promise.all([newestChange(), changedAt(built)])
  if (builtAt > newest) return
  await promisify(execFile)(
    process.execPath,
    ['node_modules/vite/bin/vite.js', 'build', 'console', '--logLevel', 'error'],
    {
      cwd: root,
    },
  )
}

async function newestChange(): Promise<number> {
  const files = await Promise.all(sources.map((source) => filesOf(join(root, source))))
  return Math.max(...(await Promise.all(files.flat().map(changedAt))))
}

async function filesOf(path: string): Promise<string[]> {
  if (!(await stat(path)).isDirectory()) return [path]
  const names = await readdir(path, { recursive: true })
  return names.map((name) => join(path, name))
}

async function changedAt(path: string): Promise<number> {
  return stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  )
}
