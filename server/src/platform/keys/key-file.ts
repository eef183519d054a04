import { hkdfSync } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { ConfigurationError } from '../configuration-error.ts'
import { sealBytes, unsealBytes } from '../sealing.ts'

/** The key of an operator that protects the keys in the database. It is never stored there. */
export type KeyFile = {
  /** Identifies the key without revealing anything about it. */
  id: string
  /** Whether every user of the machine can read the file. */
  isReadableByAll: boolean
  wrap(key: Buffer, context: string): Buffer
  /** Throws if the key was wrapped with another key file or for another context. */
  unwrap(wrapped: Buffer, context: string): Buffer
  /** Derives a key for one purpose, for example for one backup. */
  derive(purpose: string, salt: Buffer): Buffer
}

const keyLength = 32

/** The file of MUSTER_KEY_FILE, or else the systemd credential `muster-key`. */
export function findKeyFile(path: string | undefined, credentialsDirectory: string | undefined): string | undefined {
  if (path) return resolve(path)
  const credential = credentialsDirectory && join(credentialsDirectory, 'muster-key')
  return credential && existsSync(credential) ? credential : undefined
}

/** Reads 32 bytes, written as base64 or hexadecimal digits. Throws a ConfigurationError for anything else. */
export function readKeyFile(path: string): KeyFile {
  const secret = parseKey(readText(path))
  if (!secret)
    throw new ConfigurationError(
      `The key file ${path} must contain 32 bytes as base64 or hexadecimal digits. ` +
        'Create one with: npm run keys -- create-file FILE',
    )
  return { ...openKey(secret), isReadableByAll: (statSync(path).mode & 0o004) !== 0 }
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (error) {
    throw new ConfigurationError(`The key file cannot be read: ${(error as Error).message}`)
  }
}

function parseKey(text: string): Buffer | undefined {
  if (/^[0-9a-f]{64}$/i.test(text)) return Buffer.from(text, 'hex')
  const key = /^[\w+/-]{43}=?$/.test(text) ? Buffer.from(text, 'base64') : undefined
  return key?.length === keyLength ? key : undefined
}

/** The secret stays in the closures so that no log line or message can contain it. */
function openKey(secret: Buffer): Omit<KeyFile, 'isReadableByAll'> {
  const derive = (purpose: string, salt: Buffer) =>
    Buffer.from(hkdfSync('sha256', secret, salt, `muster ${purpose}`, keyLength))
  const wrappingKey = derive('key wrapping', Buffer.alloc(0))
  return {
    id: derive('key file id', Buffer.alloc(0)).toString('hex').slice(0, 16),
    wrap: (key, context) => sealBytes(wrappingKey, key, context),
    unwrap: (wrapped, context) => unsealBytes(wrappingKey, wrapped, context),
    derive,
  }
}
