import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import {
  CatalogCommandError,
  describePlace,
  listYamlFiles,
  readYamlFile,
  toValues,
  type YamlFile,
} from '@muster/desired-state'
import { PackageFault, parseRecipe, type Recipe } from '@muster/package-format'
import { CommandFailure } from '../errors.ts'

export type ReadRecipe = Recipe & {
  /** The file of the recipe, as people know it. */
  name: string
  /** As it was written, for the service, which fills in the defaults itself. */
  content: Record<string, unknown>
  /** The file of the package on this computer. */
  local: { path: string; sha256: string } | undefined
  /** The file and line of a property, with dots between its levels. */
  placeOf(property: string): string
}

/** Reads recipes from files and folders. Throws one failure that names everything that is wrong with any of them. */
export async function readRecipes(paths: readonly string[], filesFolder: string | undefined): Promise<ReadRecipe[]> {
  const places = (await Promise.all(paths.map(findRecipeFiles))).flat()
  const recipes: ReadRecipe[] = []
  const faults: string[] = []
  for (const { folder, name, shown } of places)
    try {
      recipes.push(await readRecipe(folder, name, shown, filesFolder))
    } catch (error) {
      if (!(error instanceof RecipeFault)) throw error
      faults.push(error.message)
    }
  faults.push(...findDuplicates(recipes))
  if (faults.length > 0) throw new CommandFailure([...faults, 'Nothing was changed.'])
  return recipes
}

/** What is wrong with a file, with its place. */
class RecipeFault extends Error {}

type RecipePlace = { folder: string; name: string; shown: string }

async function findRecipeFiles(path: string): Promise<RecipePlace[]> {
  const found = await stat(path).catch(() => undefined)
  if (!found) throw new CommandFailure(`There is no file or folder ${path}.`)
  if (!found.isDirectory()) return [{ folder: dirname(resolve(path)), name: basename(path), shown: path }]
  const names = await listYamlFiles(path).catch(toFailure)
  return names.map((name) => ({ folder: path, name, shown: name }))
}

async function readRecipe(
  folder: string,
  name: string,
  shown: string,
  filesFolder: string | undefined,
): Promise<ReadRecipe> {
  const file = { ...(await readYamlFile(folder, name).catch(toRecipeFault)), name: shown }
  const placeOf = (property: string) => describePlace(file, property === '' ? [] : property.split('.'))
  const { content, ...recipe } = parse(file, placeOf)
  const local = await findLocalFile(recipe, [filesFolder, dirname(join(folder, name))], placeOf)
  return { ...recipe, name: shown, content, local, placeOf }
}

function parse(file: YamlFile, placeOf: ReadRecipe['placeOf']): Recipe & Pick<ReadRecipe, 'content'> {
  try {
    const content = toValues(file) as Record<string, unknown>
    return { ...parseRecipe(content), content }
  } catch (error) {
    if (!(error instanceof PackageFault)) return toRecipeFault(error)
    throw new RecipeFault(`${placeOf(error.propertyFault?.property ?? '')}: ${error.message}`)
  }
}

/** The first of the folders that has the file decides. A file that is not the one of the recipe is a mistake, not a reason to go on. */
async function findLocalFile(
  { file }: Recipe,
  folders: readonly (string | undefined)[],
  placeOf: ReadRecipe['placeOf'],
): Promise<ReadRecipe['local']> {
  if (!file) return undefined
  for (const folder of folders) {
    if (folder === undefined) continue
    const path = join(folder, file.name)
    const found = await stat(path).catch(() => undefined)
    if (!found?.isFile()) continue
    if (found.size === 0) throw new RecipeFault(`${placeOf('file.name')}: ${path} is empty.`)
    const sha256 = await hashFile(path)
    if (file.sha256 === undefined || file.sha256 === sha256) return { path, sha256 }
    throw new RecipeFault(
      `${placeOf('file.sha256')}: ${path} is not the file of the recipe. Its SHA-256 is ${sha256}, not ${file.sha256}.`,
    )
  }
  return undefined
}

async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}

/** Two recipes of one package would replace each other with every apply. */
function findDuplicates(recipes: readonly ReadRecipe[]): string[] {
  const seen = new Map<string, string>()
  return recipes.flatMap(({ manifest, name, placeOf }) => {
    const { version, revision = '', operatingSystems } = manifest
    const identity = JSON.stringify([
      ...[manifest.name, version, revision].map((text) => text.toLowerCase()),
      operatingSystems.toSorted(),
    ])
    const first = seen.get(identity)
    if (first === undefined) seen.set(identity, name)
    return first === undefined
      ? []
      : [`${placeOf('manifest.name')}: It has the name, version, revision and operating systems of ${first}.`]
  })
}

function toRecipeFault(error: unknown): never {
  if (error instanceof CatalogCommandError || isFileError(error)) throw new RecipeFault((error as Error).message)
  throw error
}

const isFileError = (error: unknown) => typeof (error as NodeJS.ErrnoException).code === 'string'

function toFailure(error: unknown): never {
  throw error instanceof CatalogCommandError ? new CommandFailure(error.message) : error
}
