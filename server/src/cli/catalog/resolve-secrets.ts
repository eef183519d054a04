import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { CatalogCommandError } from './service-client.ts'

/** Finds the values of references such as `env:NAME` and `file:PATH`. Paths are relative to the folder of the state. */
export async function resolveSecrets(
  references: readonly string[],
  folder: string,
  env: Record<string, string | undefined>,
): Promise<Record<string, string>> {
  const values = await Promise.all(references.map((reference) => resolveSecret(reference, folder, env)))
  return Object.fromEntries(references.map((reference, at) => [reference, values[at] ?? '']))
}

async function resolveSecret(
  reference: string,
  folder: string,
  env: Record<string, string | undefined>,
): Promise<string> {
  const [, kind, name = ''] = /^(env|file):(.+)$/.exec(reference) ?? []
  if (kind === 'env') {
    const value = env[name]
    if (value === undefined) throw new CatalogCommandError(`The secret ${reference} is missing: set ${name}.`)
    return value
  }
  const text = await readFile(resolve(folder, name), 'utf8').catch((error: Error) => {
    throw new CatalogCommandError(`The secret ${reference} is missing: ${error.message}`)
  })
  // Editors end files with a line feed, which is not part of the secret.
  return text.replace(/\r?\n$/, '')
}
