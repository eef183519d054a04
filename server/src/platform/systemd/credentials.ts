import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

type Environment = Record<string, string | undefined>

/** Settings that are secrets: the content of the credential is the value. */
const secrets = ['MUSTER_DATABASE_URL', 'MUSTER_DATABASE_OWNER_URL', 'MUSTER_BOOTSTRAP_CLIENT_SECRET']

/** Settings that name files with secrets: the credential is the file. */
const secretFiles = ['MUSTER_KEY_FILE', 'MUSTER_OIDC_PROVIDERS_FILE']

/**
 * Adds the settings that systemd passes as credentials of the same name, which other processes and users cannot read.
 * Settings in the environment have priority.
 */
export function addCredentials(environment: Environment): Environment {
  const { CREDENTIALS_DIRECTORY: directory } = environment
  if (!directory) return environment
  const find = (names: readonly string[], toValue: (path: string) => string) =>
    names
      .map((name) => ({ name, path: join(directory, name) }))
      .filter(({ name, path }) => !environment[name] && existsSync(path))
      .map(({ name, path }) => [name, toValue(path)])
  return {
    ...environment,
    ...Object.fromEntries(find(secrets, (path) => readFileSync(path, 'utf8').trim())),
    ...Object.fromEntries(find(secretFiles, (path) => path)),
  }
}
