import { join } from 'node:path'
import type { Plugin } from 'vite'

const folder = join(import.meta.dirname, '../src/visible-texts')

/**
 * Every element of the pages is made by the functions in src/visible-texts, which show texts of others safely: those of our
 * own components and those of libraries.
 */
export function visibleTexts(): Plugin {
  return {
    name: 'visible-texts',
    enforce: 'pre',
    resolveId(source, importer) {
      const [, runtime] = /^react\/(jsx-(?:dev-)?runtime)$/.exec(source) ?? []
      return runtime && !importer?.startsWith(folder) ? join(folder, `${runtime}.ts`) : undefined
    },
  }
}
