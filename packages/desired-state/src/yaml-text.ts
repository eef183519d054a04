import { LineCounter, parseDocument, stringify } from 'yaml'
import { CatalogCommandError } from './catalog-command-error.ts'
import type { YamlFile } from './state-places.ts'

/** JSON is YAML, too. */
export const isYamlName = (name: string) => /\.(ya?ml|json)$/.test(name)

/** Throws for the first mistake in the text of a file, with its line. */
export function parseYamlText(name: string, text: string): YamlFile {
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
export function toValues({ name, content }: YamlFile): unknown {
  try {
    return content.toJS()
  } catch (error) {
    throw new CatalogCommandError(`${name}: ${(error as Error).message}`)
  }
}

/** A document as files contain it: long texts stay on one line. */
export const toYamlText = (content: unknown): string => stringify(content, { lineWidth: 0 })
