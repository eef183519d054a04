import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { StartedWork } from '../protocol.ts'

/** The file in which commands find the entries of collection variables. It contains no secrets. */
export const collectionsFileIn = (folder: string) => join(folder, 'muster-collections.json')

export async function writeCollections(folder: string, collections: StartedWork['collections'] = {}): Promise<void> {
  const path = collectionsFileIn(folder)
  // A file of this name in the package may be a link into the cache.
  await rm(path, { force: true })
  await writeFile(path, `${JSON.stringify(collections)}\n`, { mode: 0o600 })
}
