import { mkdir, open, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { isResourceExhausted } from '../platform/resource-exhaustion.ts'
import type { WantedFile } from './master-client.ts'

export type StoredPackage = { contentHash: string; files: WantedFile[] }

/** The packages on the depot, by package id. */
export type PackageIndex = Record<string, StoredPackage>

/** Returns an empty index if the file is missing or damaged. The next synchronisation then fetches all file lists again. */
export async function readPackageIndex(directory: string): Promise<PackageIndex> {
  try {
    return JSON.parse(await readFile(join(directory, 'packages.json'), 'utf8')) as PackageIndex
  } catch (error) {
    if (isResourceExhausted(error)) throw error
    return {}
  }
}

export async function writePackageIndex(directory: string, index: PackageIndex): Promise<void> {
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
