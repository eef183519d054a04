import { open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { maxWingetFileBytes, type WingetFile } from '@muster/installers/winget'
import { PackageFault } from '@muster/package-format'
import type { Configuration } from '../../platform/configuration.ts'
import { requirePackageFolder } from '../packages/store-folder.ts'
import { wingetPackageNotFound } from './problems.ts'

/** A package in the mirror, with the folder names of its versions. */
export type MirroredPackage = { identifier: string; versions: string[] }

type MirrorSettings = Pick<Configuration, 'packageStore' | 'wingetMirror'>

/** The folder with a folder for each letter; undefined if there is no mirror. A clone of the repository has it in `manifests`. */
export async function findMirror({ packageStore, wingetMirror }: MirrorSettings): Promise<string | undefined> {
  for (const folder of [`${wingetMirror}/manifests`, wingetMirror]) {
    const found = await requirePackageFolder(packageStore, folder).catch((error: unknown) => {
      if (error instanceof PackageFault) return undefined
      throw error
    })
    if (found !== undefined) return found
  }
  return undefined
}

/** The names of folders in a folder, or none. Links are not followed. */
export async function listFolders(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(ignoreAbsence)
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
}

async function listManifestNames(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(ignoreAbsence)
  return entries.filter((entry) => entry.isFile() && entry.name.endsWith('.yaml')).map(({ name }) => name)
}

function ignoreAbsence(error: NodeJS.ErrnoException): [] {
  if (['ENOENT', 'ENOTDIR', 'ENAMETOOLONG'].includes(error.code ?? '')) return []
  throw error
}

/** Whether the folder contains the files of a version, and not a package with a longer identifier. */
export const isVersionFolder = async (folder: string) => (await listManifestNames(folder)).length > 0

/** Later versions first. */
export const byVersion = (one: string, other: string) => other.localeCompare(one, 'en', { numeric: true })

const segment = /^[^.\s\\/:*?"<>|\p{Cc}]{1,32}$/u

/** The folder of a package. Identifiers name folders, so anything other than an identifier is refused. */
export function folderOf(mirror: string, identifier: string): string | undefined {
  const names = identifier.split('.')
  if (names.length < 2 || names.length > 8 || !names.every((name) => segment.test(name))) return undefined
  return join(mirror, identifier.charAt(0).toLowerCase(), ...names)
}

/** The versions of a package, the latest first; none if the mirror does not have it. */
export async function listVersions(folder: string): Promise<string[]> {
  const versions: string[] = []
  for (const name of await listFolders(folder)) if (await isVersionFolder(join(folder, name))) versions.push(name)
  return versions.sort(byVersion)
}

const maxFiles = 200
/** Of all files together. A manifest has a file for each language. */
const maxBytes = 2 * 1024 * 1024

/** The files of a version of a package, of the latest one by default. Throws a problem if the mirror does not have it. */
export async function readMirroredManifest(
  settings: MirrorSettings,
  identifier: string,
  wanted: string | undefined,
): Promise<{ files: WingetFile[]; versions: string[]; version: string }> {
  const mirror = await findMirror(settings)
  const folder = mirror === undefined ? undefined : folderOf(mirror, identifier)
  const versions = folder === undefined ? [] : await listVersions(folder)
  const version = wanted === undefined ? versions[0] : versions.find((one) => one === wanted)
  if (folder === undefined || version === undefined) throw wingetPackageNotFound({ identifier })
  const files: WingetFile[] = []
  let bytes = 0
  for (const name of (await listManifestNames(join(folder, version))).slice(0, maxFiles)) {
    const content = await readStart(join(folder, version, name))
    bytes += content.length
    if (bytes <= maxBytes) files.push({ name, content })
  }
  return { files, versions, version }
}

/** The reader refuses what is longer than it reads. */
async function readStart(path: string): Promise<string> {
  const file = await open(path, 'r')
  try {
    const buffer = Buffer.alloc(maxWingetFileBytes + 1)
    const { bytesRead } = await file.read(buffer, 0, buffer.length, 0)
    return buffer.toString('utf8', 0, bytesRead)
  } finally {
    await file.close()
  }
}
