import { readFile, realpath } from 'node:fs/promises'
import { relative, resolve, sep } from 'node:path'
import { CatalogCommandError } from './catalog-command-error.ts'
import { listReferences } from './secret-references.ts'
import type { StateDocument } from './state-files.ts'

export type SecretPlaces = {
  /** The folder of the state: paths are relative to it, and stay below it. */
  folder: string
  /** Further folders whose files may be read. */
  secretFolders: readonly string[]
  /** Where `env:NAME` is found. */
  environment: Record<string, string | undefined>
}

/**
 * Finds the values of references such as `env:NAME` and `file:PATH`. The service asks for them, and then gets the values: so only
 * those that the files of the state contain are read.
 */
export async function resolveSecrets(
  references: readonly string[],
  document: StateDocument,
  places: SecretPlaces,
): Promise<Record<string, string>> {
  requireOwnReferences(references, document)
  const values = await Promise.all(references.map((reference) => resolveSecret(reference, places)))
  return Object.fromEntries(references.map((reference, at) => [reference, values[at] ?? '']))
}

/** Throws if the service asks for a secret that the document does not name. */
export function requireOwnReferences(references: readonly string[], document: StateDocument): void {
  const own = new Set(listReferences(document))
  const foreign = references.filter((reference) => !own.has(reference))
  if (foreign.length > 0)
    throw new CatalogCommandError(
      `The service asks for secrets that the folder does not name: ${foreign.join(', ')}. Nothing was read or applied.`,
    )
}

async function resolveSecret(reference: string, { folder, secretFolders, environment }: SecretPlaces): Promise<string> {
  const [, kind, name = ''] = /^(env|file):(.+)$/s.exec(reference) ?? []
  if (kind === undefined)
    throw new CatalogCommandError(`The secret ${reference} is not a reference: write env:NAME or file:PATH.`)
  if (kind === 'env') {
    const value = Object.hasOwn(environment, name) ? environment[name] : undefined
    if (value === undefined) throw new CatalogCommandError(`The secret ${reference} is missing: set ${name}.`)
    return value
  }
  const missing = (error: Error) => {
    throw new CatalogCommandError(`The secret ${reference} is missing: ${error.message}`)
  }
  const file = await realpath(resolve(folder, name)).catch(missing)
  if (!(await isBelowOneOf(file, [folder, ...secretFolders])))
    throw new CatalogCommandError(
      `The secret ${reference} is outside the folder ${folder}. If it may be read, name its folder with --secret-folder.`,
    )
  const text = await readFile(file, 'utf8').catch(missing)
  // Editors end files with a line feed, which is not part of the secret.
  return text.replace(/\r?\n$/, '')
}

/** Whether a file is in or below one of the folders, after links were followed. */
async function isBelowOneOf(file: string, folders: readonly string[]): Promise<boolean> {
  const real = await Promise.all(folders.map((one) => realpath(one).catch(() => undefined)))
  return real.some((folder) => folder !== undefined && isBelow(file, folder))
}

function isBelow(file: string, folder: string): boolean {
  const path = relative(folder, file)
  // On Windows, the path to another drive is absolute.
  return path !== '' && path.split(sep)[0] !== '..' && resolve(folder, path) === file && !/^[a-z]:/i.test(path)
}
