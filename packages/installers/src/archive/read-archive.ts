import type { ArchiveFacts } from '../facts.ts'
import { InstallerFault } from '../installer-fault.ts'
import { readUpTo, type Source } from '../source.ts'
import { toLine } from '../texts.ts'
import { isTarBlock, tarEntries } from './tar.ts'
import { findCompression, unpacked } from './unpack.ts'
import { zipEntries } from './zip.ts'

const installerNames =
  /\.(msi|exe|msix|msixbundle|appx|appxbundle|deb|rpm|appimage)$|(^|\/)(install|setup)(\.sh|\.run)?$/i
const maxInstallers = 50
const maxTopLevel = 50

type Listed = Pick<ArchiveFacts, 'entryCount' | 'isComplete' | 'topLevel' | 'installers'>

export async function readZip(source: Source): Promise<ArchiveFacts> {
  return { format: 'zip', ...(await listEntries(zipEntries(source), source)) }
}

export async function readTar(source: Source): Promise<ArchiveFacts> {
  const compression = findCompression(await readUpTo(source, 0, 8))
  if (compression === 'bzip2')
    return { format: 'tar', compression, entryCount: 0, isComplete: false, topLevel: [], installers: [] }
  if (compression !== undefined) await requireTar(source)
  const listed = await listEntries(tarEntries(source), source)
  return { format: 'tar', ...(compression !== undefined && { compression }), ...listed }
}

/** Any file can be compressed. */
async function requireTar(source: Source): Promise<void> {
  let start = Buffer.alloc(0)
  for await (const chunk of unpacked(source)) {
    start = Buffer.concat([start, chunk])
    if (start.length >= 512) break
  }
  if (!isTarBlock(start)) throw new InstallerFault('unknownFormat', 'The file is compressed, but not an archive.')
}

/** Looks at the names only: archives within this one are not opened. What exceeds the limits ends the list. */
async function listEntries(entries: AsyncIterable<{ name: string }>, { budget }: Source): Promise<Listed> {
  const [topLevel, installers] = [new Set<string>(), [] as string[]]
  let entryCount = 0
  const list = (isComplete: boolean) => ({ entryCount, isComplete, topLevel: [...topLevel], installers })
  try {
    for await (const { name } of entries) {
      if (entryCount >= budget.limits.maxEntries) return list(false)
      entryCount++
      const path = toLine(name.replaceAll('\\', '/').replace(/^(\.?\/)+/, ''))
      const [first = ''] = path.split('/')
      if (first !== '' && first !== '.' && topLevel.size < maxTopLevel) topLevel.add(first)
      if (installerNames.test(path) && installers.length < maxInstallers) installers.push(path)
    }
    return list(true)
  } catch (error) {
    if (error instanceof InstallerFault && error.code === 'tooLarge' && entryCount > 0) return list(false)
    throw error
  }
}
