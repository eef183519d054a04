import { mkdir, open, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { WantedFile } from './master-client.ts'

export type PinnedPackage = { contentHash: string; files: WantedFile[] }

/** Package id to what the depot holds of it. */
export type PackageIndex = Record<string, PinnedPackage>

/** A file that is missing or damaged only means that everything is asked for again. */
export async function readIndex(directory: string): Promise<PackageIndex> {
  try {
    return JSON.parse(await readFile(join(directory, 'packages.json'), 'utf8')) as PackageIndex
  } catch {
    return {}
  }
}

export async function writeIndex(directory: string, index: PackageIndex): Promise<void> {
  await mkdir(directory, { recursive: true })
  const file = await open(join(directory, 'packages.json.new'), 'w')
  try {
    await file.writeFile(JSON.stringify(index))
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(join(directory, 'packages.json.new'), join(directory, 'packages.json'))
}
