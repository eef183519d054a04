import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

const repository = join(import.meta.dirname, '../..')

// Which answers the command line checks follows from its commands, which import the result: the first time, they need an empty one.
const answerSchemas = join(repository, 'cli/src/api/answer-schemas.json')
if (!existsSync(answerSchemas)) await writeFile(answerSchemas, '{ "operations": {}, "components": {} }\n')
const { generatedFiles } = await import('./generated-files.ts')

for (const [path, content] of Object.entries(await generatedFiles())) {
  const file = join(repository, path)
  // Written only if it differs so that the type check of unchanged declarations has nothing to do.
  if (content === (await readFile(file, 'utf8').catch(() => ''))) continue
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, content)
  console.log(`Generated ${path}`)
}
