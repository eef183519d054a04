import { readFile, writeFile } from 'node:fs/promises'
import { askPassphrase } from './ask-passphrase.ts'
import { formatPublicKey } from './public-key.ts'
import { formatSecretKey, generateSecretKey, openSecretKey, type SecretKey } from './secret-key.ts'
import { SigningError } from './signing-error.ts'

/** Writes a new secret key, and its public key beside it. Returns a sentence about it. */
export async function createKeyFiles(file: string, isEncrypted: boolean): Promise<string> {
  const key = generateSecretKey()
  const passphrase = isEncrypted ? await askNewPassphrase() : undefined
  const content = await formatSecretKey(key, passphrase)
  // A key that exists is never overwritten: what it has signed could not be signed again.
  await writeFile(file, content, { flag: 'wx', mode: 0o600 })
  await writeFile(`${file}.pub`, formatPublicKey(key.publicKey), { flag: 'wx' })
  return `The key ${key.publicKey.keyId} was written. Its public key, in ${file}.pub: ${key.publicKey.text}`
}

async function askNewPassphrase(): Promise<string> {
  const passphrase = await askPassphrase('Passphrase of the new key: ')
  if (passphrase === '') throw new SigningError('The passphrase is empty. Use --no-passphrase for a key without one.')
  if (process.stdin.isTTY && (await askPassphrase('The passphrase again: ')) !== passphrase)
    throw new SigningError('The passphrases differ.')
  return passphrase
}

export async function openKeyFile(file: string): Promise<SecretKey> {
  return openSecretKey(await readFile(file, 'utf8'), () => askPassphrase(`Passphrase of ${file}: `))
}
