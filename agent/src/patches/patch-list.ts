import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { WorkPatch } from '../protocol.ts'

/** The file in which the commands of a fix package find the patches to install. */
export const patchListIn = (folder: string) => join(folder, 'muster-patches.json')

export async function writePatchList(folder: string, patches: readonly WorkPatch[]): Promise<void> {
  const path = patchListIn(folder)
  // A file of this name in the package may be a link into the cache.
  await rm(path, { force: true })
  await writeFile(path, `${JSON.stringify(patches)}\n`)
}
