import { randomUUID } from 'node:crypto'
import { mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import type { AccessToken } from '@muster/client'
import { CommandFailure, UsageError } from '../errors.ts'
import { lockFile } from './lock-file.ts'

type Environment = Record<string, string | undefined>

/** How to get access tokens from an identity provider without asking the person again. */
export type ProviderSignIn = {
  issuer: string
  clientId: string
  refreshToken: string | null
  /** What the person has confirmed beside issuer and client. */
  scope?: string
  audience?: string | undefined
  /** What every request for a token contains, such as the audience. */
  parameters?: Record<string, string>
}

/** A service and the principal that has signed in there. */
export type Profile = {
  address: string
  /** The person has accepted an address without TLS. */
  insecure?: boolean
  clientId?: string
  clientSecret?: string
  provider?: ProviderSignIn
  /** The last access token. Commands share it until it expires. */
  token?: AccessToken
}

export type CredentialsFile = { current: string | null; profiles: Record<string, Profile> }

/** Where the operating system expects settings of programs. */
export function credentialsPath(environment: Environment, platform = process.platform): string {
  const home = environment.HOME ?? homedir()
  const folders: Record<string, string> = {
    win32: environment.APPDATA ?? join(home, 'AppData/Roaming'),
    darwin: join(home, 'Library/Application Support'),
  }
  const folder = environment.XDG_CONFIG_HOME || folders[platform] || join(home, '.config')
  return join(folder, 'muster', 'credentials.json')
}

export async function readCredentials(environment: Environment): Promise<CredentialsFile> {
  const path = credentialsPath(environment)
  const info = await stat(path).catch(() => undefined)
  if (!info) return { current: null, profiles: {} }
  // Windows has no such modes; there the folder belongs to the user.
  if (process.platform !== 'win32' && (info.mode & 0o077) !== 0)
    throw new UsageError(`Others can read ${path}. Run: chmod 600 '${path}'`)
  // Credentials that another user has put there lead to the service of that user.
  if (process.getuid && info.uid !== process.getuid()) throw new UsageError(`${path} belongs to another user.`)
  try {
    return JSON.parse(await readFile(path, 'utf8')) as CredentialsFile
  } catch (error) {
    throw new CommandFailure([`${path} cannot be read: ${(error as Error).message}`, 'Delete it and sign in again.'])
  }
}

/**
 * Changes the file as a whole so that a command that reads it meanwhile finds the old or the new content. Commands that
 * change it at the same time do so one after the other.
 */
export async function changeCredentials<T>(
  environment: Environment,
  change: (file: CredentialsFile) => T | Promise<T>,
): Promise<T> {
  const path = credentialsPath(environment)
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const unlock = await lockFile(`${path}.lock`)
  try {
    const file = await readCredentials(environment)
    const result = await change(file)
    const draft = `${path}.${randomUUID()}`
    // A new file with its own name: nothing that exists there is followed or overwritten.
    await writeFile(draft, `${JSON.stringify(file, null, 2)}\n`, { mode: 0o600, flag: 'wx' })
    await rename(draft, path)
    return result
  } finally {
    await unlock()
  }
}
