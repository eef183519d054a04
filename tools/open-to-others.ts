import { copyFile, rename, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

const enterForOthers = 0o001

/** Whether every account can enter the folders above the file. A checkout in the home of root, for example, is closed. */
export async function isOpenToOthers(path: string): Promise<boolean> {
  const folder = dirname(path)
  if (folder === path) return true
  return ((await stat(folder)).mode & enterForOthers) !== 0 && (await isOpenToOthers(folder))
}

/** A Node that every account can run: that of this process, or a copy of it, which is made once for each run of the tests. */
export async function nodeForOthers(): Promise<string> {
  const node = process.execPath
  if (await isOpenToOthers(node)) return node
  const copy = join(tmpdir(), 'node-for-others')
  const exists = await stat(copy).then(
    () => true,
    () => false,
  )
  if (exists) return copy
  const unfinished = `${copy}-${process.pid}`
  await copyFile(node, unfinished)
  await rename(unfinished, copy)
  return copy
}
