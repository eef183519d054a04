import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { isOutdated } from '../../tools/is-outdated.ts'

const root = join(import.meta.dirname, '../..')
const built = join(root, 'console/dist/index.html')
const sources = [
  'console/src',
  'client/src',
  'packages/text/src',
  'console/tools',
  'console/index.html',
  'console/vite.config.ts',
  'console/package.json',
  'docs',
]

/** Builds the console before the tests if its sources have changed. */
export async function setup(): Promise<void> {
  const isCurrent = !(await isOutdated(
    built,
    sources.map((source) => join(root, source)),
  ))
  if (isCurrent) return
  await promisify(execFile)(
    process.execPath,
    ['node_modules/vite/bin/vite.js', 'build', 'console', '--logLevel', 'error'],
    {
      cwd: root,
    },
  )
}
