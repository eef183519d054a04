import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Plugin } from 'vite'
import { writeCompressed } from '../precompress.ts'
import { buildHelp, listGuides, renderAllDocuments } from './help-pages.ts'

const name = 'virtual:guides'

const isText = /\.(js|css|svg|json|html)$/

/** Makes pages of the documents of `docs`, which the service serves below /help, and gives the palette the list of the guides. */
export function help(): Plugin {
  return {
    name: 'help',
    resolveId: (id) => (id === name ? `\0${name}` : undefined),
    async load(id) {
      if (id !== `\0${name}`) return undefined
      return `export const guides = ${JSON.stringify(listGuides(await renderAllDocuments()))}`
    },
    // Not assets of the bundle: the pages link each other by names without a hash.
    async writeBundle({ dir = '' }) {
      for (const [path, content] of await buildHelp()) {
        const file = join(dir, 'help', path)
        await mkdir(dirname(file), { recursive: true })
        await writeFile(file, content)
        if (isText.test(path)) await writeCompressed(file, content)
      }
    },
  }
}
