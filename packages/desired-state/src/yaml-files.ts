import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { LineCounter, parseDocument } from 'yaml'
import { CatalogCommandError } from './service-client.ts'
import type { YamlFile } from './state-places.ts'

/** JSON is YAML, too. */
export const isYamlName = (name: string) => /\.(ya?ml|json)$/.test(name)

/** The names of all files below the folder, in a fixed order. */
export async function listYamlFiles(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true }).catch((error: Error) => {
    throw new CatalogCommandError(`The folder ${folder} cannot be read: ${error.message}`)
  })
  const files = names.filter(isYamlName).sort()
  if (files.length === 0) throw new CatalogCommandError(`The folder ${folder} has no .yaml, .yml or .json file.`)
  return files
}

/** Throws for the first mistake in the file, with its line. */
export async function readYamlFile(folder: string, name: string): Promise<YamlFile> {
  const lines = new LineCounter()
  const text = await readFile(join(folder, name), 'utf8')
  const content = parseDocument(text, { lineCounter: lines, prettyErrors: false })
  const [mistake] = content.errors
  if (mistake) {
    const { line, col } = lines.linePos(mistake.pos[0])
    throw new CatalogCommandError(`${name}:${line}:${col}: ${mistake.message}`)
  }
  return { name, content, lines }
}

/** Aliases that refer to each other again and again are refused when they are resolved. */
export function toValues({ name, content }: YamlFile): unknown {
  try {
    return content.toJS()
  } catch (error) {
    throw new CatalogCommandError(`${name}: ${(error as Error).message}`)
  }
}
