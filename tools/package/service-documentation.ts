import { cp, mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { run } from './run.ts'

const repository = join(import.meta.dirname, '../..')

/** The layout is that of the repository, so the links between these files work without a network. */
const documents = ['CHANGELOG.md', 'CONTRIBUTING.md', 'LICENSE', 'README.md', 'SECURITY.md', 'docs', 'examples']

/** Lays out the documentation of an installation: everything that people read, and the examples that they copy. */
export async function layOutDocumentation(folder: string): Promise<void> {
  for (const path of documents) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await cp(join(repository, path), join(folder, path), { recursive: true })
  }
  // Everybody may read it, whatever the checkout allows.
  await run('chmod', ['-R', 'u=rwX,go=rX', folder])
}
