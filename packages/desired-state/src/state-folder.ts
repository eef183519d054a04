import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { LineCounter, parseDocument } from 'yaml'
import { CatalogCommandError } from './service-client.ts'
import { placesOf, type SectionOrigins, type StateFile, type StatePlaces } from './state-places.ts'

/** A desired state, as far as files are concerned: lists of objects by the name of their section. */
export type StateDocument = Record<string, unknown[]>

export type ReadState = { document: StateDocument; places: StatePlaces }

export const isStateFile = (name: string) => /\.(ya?ml|json)$/.test(name)

/** Reads all files below the folder. Their sections are joined, so a section may be spread over any files. */
export async function readStateFolder(folder: string): Promise<ReadState> {
  const sections = new Map<string, SectionOrigins>()
  for (const name of await listStateFiles(folder)) {
    const file = parseFile(name, await readFile(join(folder, name), 'utf8'))
    for (const [section, objects] of listSections(file)) {
      const origins = sections.get(section) ?? { files: [], objects: [] }
      origins.files.push(file)
      for (const [at, value] of objects.entries()) origins.objects.push({ file, at, value })
      sections.set(section, origins)
    }
  }
  const document = Object.fromEntries(
    [...sections].map(([name, { objects }]) => [name, objects.map(({ value }) => value)]),
  )
  return { document, places: placesOf(sections) }
}

async function listStateFiles(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true }).catch((error: Error) => {
    throw new CatalogCommandError(`The folder ${folder} cannot be read: ${error.message}`)
  })
  const files = names.filter(isStateFile).sort()
  if (files.length === 0) throw new CatalogCommandError(`The folder ${folder} has no .yaml, .yml or .json file.`)
  return files
}

/** Throws for the first mistake in the file, with its line. JSON is YAML, too. */
function parseFile(name: string, text: string): StateFile {
  const lines = new LineCounter()
  const content = parseDocument(text, { lineCounter: lines, prettyErrors: false })
  const [mistake] = content.errors
  if (mistake) {
    const { line, col } = lines.linePos(mistake.pos[0])
    throw new CatalogCommandError(`${name}:${line}:${col}: ${mistake.message}`)
  }
  return { name, content, lines }
}

/** Aliases that refer to each other again and again are refused when they are resolved. */
function toValues(name: string, content: StateFile['content']): unknown {
  try {
    return content.toJS()
  } catch (error) {
    throw new CatalogCommandError(`${name}: ${(error as Error).message}`)
  }
}

function listSections({ name, content }: StateFile): [string, unknown[]][] {
  const sections = toValues(name, content)
  if (sections === null) return []
  if (typeof sections !== 'object' || Array.isArray(sections))
    throw new CatalogCommandError(`${name} must contain sections, for example groups:`)
  return Object.entries(sections).map(([section, objects]) => {
    if (!Array.isArray(objects)) throw new CatalogCommandError(`${name}: ${section} must be a list`)
    return [section, objects]
  })
}
