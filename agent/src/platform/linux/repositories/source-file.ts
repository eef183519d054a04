import { createHash } from 'node:crypto'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Repository } from '../../repository-packages.ts'

/** Where a repository is stated, and where the key is that signs it. */
export type SourceFile = { path: string; keyPath: string; content: string; key: string }

/** Equal repositories have one file, whichever packages use them. */
export function repositoryId({ url, suite = '', components = [], key }: Repository): string {
  const parts = [url, suite, ...components, key.trim()]
  return `muster-${createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, 16)}`
}

const note = '# Written by the Muster agent. It removes this file with the last of these packages:'
const userLine = /^# - (\S+)$/gm

/** States the repository, for this package among others. Returns whether another package, or this one, had stated it before. */
export async function addSource(file: SourceFile, user: string): Promise<boolean> {
  const users = await readUsers(file)
  await writeReadable(file.keyPath, `${file.key.trim()}\n`)
  await writeUsers(file, [...new Set([...users, user])].toSorted())
  return users.includes(user)
}

/** Removes the repository unless another package uses it. Returns whether it was removed. */
export async function releaseSource(file: SourceFile, user: string): Promise<boolean> {
  const users = await readUsers(file)
  const others = users.filter((one) => one !== user)
  if (others.length > 0) {
    await writeUsers(file, others)
    return false
  }
  await rm(file.path, { force: true })
  await rm(file.keyPath, { force: true })
  return users.length > 0
}

async function readUsers({ path }: SourceFile): Promise<string[]> {
  const text = await readFile(path, 'utf8').catch(() => '')
  return [...text.matchAll(userLine)].map(([, user = '']) => user)
}

function writeUsers({ path, content }: SourceFile, users: readonly string[]): Promise<void> {
  return writeReadable(path, [note, ...users.map((user) => `# - ${user}`), content.trim(), ''].join('\n'))
}

/** Tools read the key without the rights of root. A tool that reads at the same time finds the old or the new file. */
async function writeReadable(path: string, content: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o755 })
  // Tools ignore files with another ending.
  const fresh = `${path}.muster-new`
  await rm(fresh, { force: true })
  await writeFile(fresh, content, { mode: 0o644 })
  await rename(fresh, path)
}
