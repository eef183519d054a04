import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** Whether one of the sources, which are files and folders, is newer than the file that was built from them. */
export async function isOutdated(built: string, sources: readonly string[]): Promise<boolean> {
  const [builtAt, files] = await Promise.all([changedAt(built), Promise.all(sources.map(filesOf))])
  const newest = Math.max(...(await Promise.all(files.flat().map(changedAt))))
  return builtAt <= newest
}

/** Includes the folders, because removing a file changes its folder. */
async function filesOf(path: string): Promise<string[]> {
  if (!(await stat(path)).isDirectory()) return [path]
  const names = await readdir(path, { recursive: true })
  return [path, ...names.map((name) => join(path, name))]
}

async function changedAt(path: string): Promise<number> {
  return stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  )
}
