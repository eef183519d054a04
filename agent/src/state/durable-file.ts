import { open, readFile, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { codeOf } from '../expected-error.ts'
import type { Files } from '../platform/files.ts'

/** Writes a file atomically: after a crash it has its old or its new content; once this returns, the new one. */
export async function writeDurably(files: Files, path: string, content: unknown): Promise<void> {
  const fresh = `${path}.new`
  try {
    const file = await open(fresh, 'w', 0o600)
    try {
      await file.writeFile(`${JSON.stringify(content, null, 1)}\n`)
      await file.sync()
    } finally {
      await file.close()
    }
    await files.replace(fresh, path)
  } catch (error) {
    await rm(fresh, { force: true })
    throw error
  }
}

export async function removeDurably(files: Files, path: string): Promise<void> {
  await rm(path, { force: true })
  await files.syncFolder(dirname(path))
}

/** The content of a file, or undefined if it does not exist or is damaged. */
export async function readStored<T>(path: string): Promise<T | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as T
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || error instanceof SyntaxError) return undefined
    throw error
  }
}

export function isDiskFull(error: unknown): boolean {
  return ['ENOSPC', 'EDQUOT', 'EFBIG'].includes(codeOf(error) ?? '')
}
