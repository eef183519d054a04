import { createHash, type Hash } from 'node:crypto'
import { createInterface } from 'node:readline'
import { createGunzip } from 'node:zlib'
import { findJsonExcess } from '@muster/schema'
import JSONParser from '@streamparser/json/jsonparser.js'
import { type CatalogFile, openCatalogFile, readCatalogFile } from '../../patches/catalog/catalog-files.ts'
import { DocumentFault } from '../../patches/catalog/patch-document.ts'
import { readTrackerPackage } from './read-debian-tracker.ts'
import { readEpssLine, readKevEntry, readNvdEntry } from './read-facts.ts'
import { readOsv } from './read-osv.ts'
import type { VulnerabilityEntries, VulnerabilityFact } from './vulnerability-document.ts'

export const vulnerabilityFormats = ['Osv', 'DebianTracker', 'Kev', 'Epss', 'Cvss'] as const

export type VulnerabilityFormat = (typeof vulnerabilityFormats)[number]

const chunkBytes = 256 * 1024

/** Increase it if the same documents would be read differently. Otherwise an import of them would change nothing. */
const readerVersion = 1

async function* readChunks(listed: CatalogFile): AsyncGenerator<Buffer> {
  const file = await openCatalogFile(listed)
  // The stream closes the file, even if the reader leaves early.
  for await (const chunk of file.createReadStream({ highWaterMark: chunkBytes })) yield chunk as Buffer
}

/** A hash of how files are read, and of their names and contents. Faults of single files are found when they are read. */
export async function hashFiles(files: readonly CatalogFile[], signal: AbortSignal): Promise<Buffer> {
  const hash = createHash('sha256').update(`${readerVersion}\0`)
  // One for all files: memory for each would be more work than the hash of many small documents.
  const buffer = Buffer.allocUnsafe(chunkBytes)
  for (const file of files) {
    signal.throwIfAborted()
    hash.update(`${file.path}\0`)
    if (!file.isLink) await hashContent(file, hash, buffer)
  }
  return hash.digest()
}

async function hashContent(listed: CatalogFile, hash: Hash, buffer: Buffer): Promise<void> {
  const file = await openCatalogFile(listed)
  try {
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, buffer.length)
      if (bytesRead === 0) return
      hash.update(buffer.subarray(0, bytesRead))
    }
  } finally {
    await file.close()
  }
}

/** The entries of a file, with bounded memory: large documents are read entry by entry. Throws a fault if it is not readable. */
export async function* readVulnerabilityFile(
  format: VulnerabilityFormat,
  file: CatalogFile,
): AsyncGenerator<VulnerabilityEntries> {
  switch (format) {
    case 'Osv':
      yield readOsv(parseJson((await readCatalogFile(file)).content))
      return
    case 'DebianTracker':
      for await (const [name, content] of readMembers(file, '$.*')) yield readTrackerPackage(String(name), content)
      return
    case 'Epss':
      for await (const line of readLines(file)) yield toEntries(readEpssLine(line))
      return
    case 'Kev':
    case 'Cvss':
      for await (const [, entry] of readMembers(file, '$.vulnerabilities.*'))
        yield toEntries(format === 'Kev' ? readKevEntry(entry) : readNvdEntry(entry))
  }
}

const toEntries = (fact: VulnerabilityFact | undefined): VulnerabilityEntries =>
  fact ? { facts: [fact], ranges: [], ignored: 0 } : { facts: [], ranges: [], ignored: 1 }

const utf8 = new TextDecoder('utf-8', { fatal: true })

function parseJson(content: Buffer): unknown {
  const excess = findJsonExcess(content)
  if (excess !== undefined) throw new DocumentFault(excess)
  try {
    return JSON.parse(utf8.decode(content))
  } catch {
    throw new DocumentFault('is not valid JSON in UTF-8')
  }
}

type Member = [key: string | number | undefined, value: unknown]

/** The members of a large document, each as soon as it is complete. */
async function* readMembers(file: CatalogFile, path: '$.*' | '$.vulnerabilities.*'): AsyncGenerator<Member> {
  let found: Member[] = []
  const parser = new JSONParser({ paths: [path], keepStack: false })
  parser.onValue = ({ key, value }) => found.push([key, value])
  const parse = (step: () => void) => {
    try {
      step()
    } catch {
      throw new DocumentFault('is not valid JSON')
    }
  }
  for await (const chunk of readChunks(file)) {
    parse(() => parser.write(chunk))
    yield* found
    found = []
  }
  parse(() => {
    if (!parser.isEnded) parser.end()
  })
}

async function* readLines(file: CatalogFile): AsyncGenerator<string> {
  const opened = await openCatalogFile(file)
  const stream = opened.createReadStream({ highWaterMark: chunkBytes })
  const input = file.path.toLowerCase().endsWith('.gz') ? stream.compose(createGunzip()) : stream
  try {
    yield* createInterface({ input: input as NodeJS.ReadableStream, crlfDelay: Number.POSITIVE_INFINITY })
  } catch {
    throw new DocumentFault('cannot be decompressed')
  } finally {
    stream.destroy()
  }
}
