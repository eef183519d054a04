import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { CatalogCommandError } from './catalog-command-error.ts'
import type { YamlFile } from './state-places.ts'
import { isYamlName, parseYamlText } from './yaml-text.ts'

/** The names of all files below the folder, in a fixed order. */
export async function listYamlFiles(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true }).catch((error: Error) => {
    throw new CatalogCommandError(`The folder ${folder} cannot be read: ${error.message}`)
  })
  const files = names.filter(isYamlName).sort()
  if (files.length === 0) throw new CatalogCommandError(`The folder ${folder} has no .yaml, .yml or .json file.`)
  return files
}

/** Throws for the first mistake in the file, with its line. */
export async function readYamlFile(folder: string, name: string): Promise<YamlFile> {
  return parseYamlText(name, await readFile(join(folder, name), 'utf8'))
}
