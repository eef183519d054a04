import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib'
import { machineChannels } from '../../src/channels/index.ts'
import { sections } from '../../src/features/index.ts'
import { apiChannel } from '../../src/platform/openapi/channel.ts'
import { openApiDocument } from '../../src/platform/openapi/document.ts'
import { findBreaks } from './compare-documents.ts'
import { type ApiDocument, reduceDocument } from './documents.ts'

/** The descriptions of the last release, without their texts. */
const folder = join(import.meta.dirname, '../../released-api')

/** The current descriptions by the names of their files. */
export function currentDocuments(): Map<string, ApiDocument> {
  return new Map(
    [apiChannel(sections), ...machineChannels].map((channel) => [
      channel.address.replace('/openapi/', '').replaceAll('/', '-'),
      reduceDocument(openApiDocument(channel)),
    ]),
  )
}

const fileOf = (name: string) => join(folder, `${name}.br`)

async function readReleased(name: string): Promise<ApiDocument> {
  return JSON.parse(brotliDecompressSync(await readFile(fileOf(name))).toString('utf8')) as ApiDocument
}

export async function writeReleased(): Promise<string[]> {
  await mkdir(folder, { recursive: true })
  const files: string[] = []
  for (const [name, document] of currentDocuments()) {
    await writeFile(fileOf(name), brotliCompressSync(JSON.stringify(document)))
    files.push(fileOf(name))
  }
  return files
}

/** What breaks programs that were written for the last release, of all channels. */
export async function findBreaksSinceRelease(today: string): Promise<string[]> {
  const breaks: string[] = []
  for (const [name, document] of currentDocuments())
    breaks.push(...findBreaks(await readReleased(name), document, { today }))
  return breaks
}
