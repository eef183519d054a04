import { join } from 'node:path'
import { byVersion, isVersionFolder, listFolders, type MirroredPackage } from './mirror.ts'

/** How many folders one search may read. The public repository has 7,000 publishers with 10,000 packages. */
const maxFolders = 50_000
/** The number of names in an identifier. */
const maxDepth = 8

export type MirrorSearch = { text: string; maxFound: number }

/**
 * Packages whose identifier contains the text, in the order of their folders. Only names of folders are read, and versions only of
 * what is found: a mirror has hundreds of thousands of files. `isComplete` is false if the search ended before it had seen all.
 */
export async function searchMirror(
  mirror: string,
  { text, maxFound }: MirrorSearch,
): Promise<{ packages: MirroredPackage[]; isComplete: boolean }> {
  // One more shows that there are more.
  const search: Search = { wanted: text.toLowerCase(), maxFound: maxFound + 1, foldersLeft: maxFolders, packages: [] }
  for (const letter of (await read(search, mirror)).sort())
    for (const publisher of (await read(search, join(mirror, letter))).sort())
      if (mayPublish(search.wanted, publisher)) await visitAll(search, join(mirror, letter, publisher), [publisher])
  return { packages: search.packages.slice(0, maxFound), isComplete: !isEnded(search) }
}

type Search = { wanted: string; maxFound: number; foldersLeft: number; packages: MirroredPackage[] }

const isEnded = ({ foldersLeft, packages, maxFound }: Search) => foldersLeft <= 0 || packages.length >= maxFound

async function read(search: Search, folder: string): Promise<string[]> {
  if (isEnded(search)) return []
  search.foldersLeft--
  return listFolders(folder)
}

/** A text with a dot in it begins within the name of the publisher or behind it. */
function mayPublish(wanted: string, publisher: string): boolean {
  const [first = ''] = wanted.split('.')
  return !wanted.includes('.') || publisher.toLowerCase().endsWith(first)
}

async function visitAll(search: Search, folder: string, names: readonly string[]): Promise<void> {
  for (const name of (await read(search, folder)).sort()) await visit(search, join(folder, name), [...names, name])
}

/** The folder of a package contains its versions, and packages with longer identifiers. */
async function visit(search: Search, folder: string, path: readonly string[]): Promise<void> {
  if (path.length > maxDepth) return
  const identifier = path.join('.')
  const isFound = identifier.toLowerCase().includes(search.wanted)
  const [versions, longer]: [string[], string[]] = [[], []]
  for (const name of await read(search, folder)) {
    if (isFound && (await isVersion(search, join(folder, name)))) versions.push(name)
    else if (isFound || `${identifier}.${name}`.toLowerCase().includes(search.wanted)) longer.push(name)
  }
  if (versions.length > 0) search.packages.push({ identifier, versions: versions.sort(byVersion) })
  for (const name of longer) await visit(search, join(folder, name), [...path, name])
}

async function isVersion(search: Search, folder: string): Promise<boolean> {
  search.foldersLeft--
  return isVersionFolder(folder)
}
