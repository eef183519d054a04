import { readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { parseRecipe } from '@muster/package-format'
import { parse } from 'yaml'
import { repository } from '../../server/test/world/service-process.ts'

export const recipesFolder = join(repository, 'examples/recipes')

/** The recipes of the starter set, by their file. */
export const exampleRecipes = (await readdir(recipesFolder, { recursive: true }))
  .filter((name) => name.endsWith('.yaml'))
  .sort()
  .map((name) => {
    const text = readFileSync(join(recipesFolder, name), 'utf8')
    return { name, text, content: parse(text) as Record<string, unknown>, ...parseSoftware(parse(text)) }
  })

function parseSoftware(content: unknown) {
  const { manifest, file } = parseRecipe(content)
  if (manifest.kind !== 'software') throw new Error('The starter set has software only.')
  return { manifest, file }
}
