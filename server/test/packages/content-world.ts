import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rm, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect } from 'vitest'
import { contentFolderOf } from '../../src/features/packages/content/content-folder.ts'
import { manifestOf, openPackageWorld } from './package-world.ts'

export const sha256Of = (content: Buffer | string) => createHash('sha256').update(content).digest('hex')

/** A world whose content folder is empty at the start of every test. */
export async function openContentWorld() {
  const world = await openPackageWorld()
  const { folder, imported, store } = world
  beforeEach(() => mkdir(store, { recursive: true }))
  afterEach(() => rm(contentFolderOf(store), { recursive: true, force: true }))

  return {
    ...world,

    /** A package that was imported with one file besides its manifest. */
    async importedFile(name: string, content: string) {
      await folder(name, { 'muster-package.json': manifestOf({ name }), 'data.txt': content })
      const { packageId } = await imported(name)
      const file = { folder: name, path: 'data.txt', size: Buffer.byteLength(content), sha256: sha256Of(content) }
      return { id: packageId ?? '', file, path: join(store, name, 'data.txt') }
    },

    storedHashes: () => listStoredHashes(store),
  }
}

/** The hashes of all contents of the store. Fails if the name of one is not its hash. */
export async function listStoredHashes(store: string): Promise<string[]> {
  const files = await readdir(contentFolderOf(store), { recursive: true, withFileTypes: true }).catch(() => [])
  const stored = files.filter((entry) => entry.isFile() && !entry.parentPath.endsWith('incoming'))
  for (const { parentPath, name } of stored) expect(sha256Of(await readFile(join(parentPath, name)))).toBe(name)
  return stored.map(({ name }) => name).sort()
}

/** Makes a file look as if it had been written some hours ago. */
export async function age(path: string, hours: number): Promise<void> {
  const time = new Date(Date.now() - hours * 3_600_000)
  await utimes(path, time, time)
}
