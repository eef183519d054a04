import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { listYamlFiles, readYamlFile, toValues } from '@muster/desired-state'
import { parseRecipe } from '@muster/package-format'
import { repository } from '../../server/test/world/service-process.ts'

export const recipesFolder = join(repository, 'examples/recipes')

/** The recipes of the starter set, by their file. */
export const exampleRecipes = await Promise.all((await listYamlFiles(recipesFolder)).map(readExample))

async function readExample(name: string) {
  const text = await readFile(join(recipesFolder, name), 'utf8')
  const content = toValues(await readYamlFile(recipesFolder, name)) as Record<string, unknown>
  const { manifest, file } = parseRecipe(content)
  if (manifest.kind !== 'software') throw new Error(`${name} is not about software.`)
  return { name, text, content, manifest, file }
}
