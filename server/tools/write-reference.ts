import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { referenceFolder, referencePages } from './reference-pages.ts'

await mkdir(referenceFolder, { recursive: true })
for (const [name, content] of Object.entries(referencePages())) await writeFile(join(referenceFolder, name), content)
console.log(`Wrote ${Object.keys(referencePages()).join(', ')} to docs/reference.`)
