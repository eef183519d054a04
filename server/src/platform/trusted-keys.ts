import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { looksLikePublicKey, MinisignFault, type PublicKey, parsePublicKey } from '@muster/signing'
import { ConfigurationError } from './configuration-error.ts'

/** Reads the keys of a setting. Each entry is a key or the name of a key file. */
export function readTrustedKeys(setting: string, entries: readonly string[]): PublicKey[] {
  const keys = entries.map((entry) => readKey(setting, entry))
  const twice = keys.find((key, index) => keys.findIndex(({ keyId }) => keyId === key.keyId) !== index)
  if (twice) throw new ConfigurationError(`${setting} has two keys with the id ${twice.keyId}.`)
  return keys
}

function readKey(setting: string, entry: string): PublicKey {
  try {
    return parsePublicKey(looksLikePublicKey(entry) ? entry : readFileSync(resolve(entry), 'utf8'))
  } catch (error) {
    if (error instanceof MinisignFault) throw new ConfigurationError(`${setting}: '${entry}' ${error.message}.`)
    throw new ConfigurationError(`${setting}: '${entry}' is neither a key nor a file: ${(error as Error).message}.`)
  }
}
