import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { buildInstaller, type WindowsAgent } from '../../../tools/package/windows-agent.ts'
import description from '../../package.json' with { type: 'json' }

const root = join(import.meta.dirname, '../../..')
const cache = join(root, 'node_modules/.cache/windows-agent')
const inputs = [
  'agent/src',
  'agent/package.json',
  'packages/http/src',
  'packages/text/src',
  'tools/package',
  'package-lock.json',
]

/** The agent for Windows and its installer, built from these sources. The same sources are built once. */
export async function buildOnce(): Promise<WindowsAgent> {
  const folder = join(cache, await hashOfInputs())
  const isBuilt = await stat(folder).then(
    () => true,
    () => false,
  )
  if (!isBuilt) {
    const fresh = `${folder}.${process.pid}`
    await mkdir(fresh, { recursive: true })
    await buildInstaller(fresh, description.version)
    await removeEarlierBuilds()
    await rename(fresh, folder)
  }
  return { executable: join(folder, 'muster-agent.exe'), installer: join(folder, 'muster-agent.msi') }
}

/** What is being built has a name with a dot. */
async function removeEarlierBuilds(): Promise<void> {
  const complete = (await readdir(cache)).filter((name) => !name.includes('.'))
  for (const name of complete) await rm(join(cache, name), { recursive: true, force: true })
}

async function hashOfInputs(): Promise<string> {
  const hash = createHash('sha256')
  for (const input of inputs)
    for (const path of await filesBelow(join(root, input))) hash.update(path).update(await readFile(path))
  return hash.digest('hex').slice(0, 32)
}

async function filesBelow(path: string): Promise<string[]> {
  if (!(await stat(path)).isDirectory()) return [path]
  const entries = await readdir(path, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}
