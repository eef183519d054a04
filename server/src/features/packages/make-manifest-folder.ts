import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { manifestName, type PackageManifest } from '@muster/package-format'

/** The folder of the package store with the folders of packages that have nothing but a manifest. */
const folderName = '.muster-repository-packages'

/** Makes the folder of such a package, and returns its path relative to the store. An earlier attempt may have made it. */
export async function makeManifestFolder(store: string, importId: string, manifest: PackageManifest): Promise<string> {
  const folder = `${folderName}/${importId}`
  await mkdir(join(store, folder), { recursive: true, mode: 0o700 })
  await writeFile(join(store, folder, manifestName), `${JSON.stringify(manifest, null, 2)}\n`)
  return folder
}

/** Of an import that failed for good. */
export async function removeManifestFolder(store: string, importId: string): Promise<void> {
  await rm(join(store, folderName, importId), { recursive: true, force: true })
}
