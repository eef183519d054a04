import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { manifestName, type PackageManifest } from '@muster/package-format'
import { uploadsFolderName } from './content/content-folder.ts'

/**
 * Makes the folder of a package that has nothing but a manifest, and returns its path relative to the store. It is among those of
 * uploads, which are deleted once no package and no import refers to them. An earlier attempt may have made it.
 */
export async function makeManifestFolder(store: string, importId: string, manifest: PackageManifest): Promise<string> {
  const folder = `${uploadsFolderName}/packages/${importId}`
  await mkdir(join(store, folder), { recursive: true, mode: 0o700 })
  await writeFile(join(store, folder, manifestName), `${JSON.stringify(manifest, null, 2)}\n`)
  return folder
}
