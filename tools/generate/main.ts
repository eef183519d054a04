import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isOutdated } from '../is-outdated.ts'

const repository = join(import.meta.dirname, '../..')

/** The declarations, and what turns them into files. */
const sources = [
  ...['server/src', 'server/tools', 'server/package.json', 'cli/src', 'client/src', 'packages', 'tools/generate'],
  'package-lock.json',
]

/** The paths of what the last run has generated. */
const record = join(repository, 'node_modules/.cache/generated.json')

/** `npm ci`, `npm run lint` and `npm test` generate, mostly one after the other without a change between them. */
async function isNeeded(): Promise<boolean> {
  const generated = existsSync(record) ? (JSON.parse(await readFile(record, 'utf8')) as string[]) : undefined
  if (!generated?.every((path) => existsSync(join(repository, path)))) return true
  return isOutdated(
    record,
    [...sources, ...generated].map((path) => join(repository, path)),
  )
}

async function generate(): Promise<void> {
  // Which answers the command line checks follows from its commands, which import the result: the first time, they need an empty one.
  const answerSchemas = join(repository, 'cli/src/api/answer-schemas.json')
  if (!existsSync(answerSchemas)) await writeFile(answerSchemas, '{ "operations": {}, "components": {} }\n')
  const { generatedFiles } = await import('./generated-files.ts')
  const files = await generatedFiles()
  for (const [path, content] of Object.entries(files)) {
    const file = join(repository, path)
    // Written only if it differs so that the type check of unchanged declarations has nothing to do.
    if (content === (await readFile(file, 'utf8').catch(() => ''))) continue
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, content)
    console.log(`Generated ${path}`)
  }
  await mkdir(dirname(record), { recursive: true })
  await writeFile(record, JSON.stringify(Object.keys(files)))
}

if (await isNeeded()) await generate()
