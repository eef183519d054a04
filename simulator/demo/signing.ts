import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { promisify } from 'node:util'
import { serverProgram } from './service.ts'

/** The file with the public key that belongs to the file of a signing key. */
export const publicKeyFile = (keyFile: string) => `${keyFile}.pub`

/** Makes the key that signs packages of the demo, unless it exists. */
export async function ensureSigningKey(keyFile: string): Promise<void> {
  if (!existsSync(keyFile)) await runSign('--new-key', keyFile, '--no-passphrase')
}

/** Signs the packages in these folders. */
export async function signFolders(keyFile: string, folders: readonly string[]): Promise<void> {
  await runSign(...folders, '--key', keyFile)
}

async function runSign(...args: string[]): Promise<void> {
  await promisify(execFile)(process.execPath, [serverProgram('cli/sign'), ...args])
}
