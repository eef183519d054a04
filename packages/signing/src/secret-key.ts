import { createPrivateKey, generateKeyPairSync, type KeyObject, randomBytes, scrypt } from 'node:crypto'
import { promisify } from 'node:util'
import { blake2b } from '@noble/hashes/blake2.js'
import { keyIdBytes, type PublicKey, plainAlgorithm, toPublicKey } from './public-key.ts'
import { SigningError } from './signing-error.ts'

export type SecretKey = { keyId: Buffer; key: KeyObject; publicKey: PublicKey }

/** The fields of a secret key file, in their order, with their lengths. */
const fields = { algorithm: 2, derivation: 2, checksum: 2, salt: 32, operations: 8, memory: 8, sealed: 104 }
const scryptDerivation = 'Sc'
const checksumAlgorithm = 'B2'
/** Deriving the key takes 128 MiB of memory so that guessing passphrases is expensive. */
const costs = { operations: 2n ** 22n, memory: 2n ** 27n }
const maxMemory = 2n ** 30n
const seedBytes = 32
const checksumBytes = 32
/** What precedes the seed of an Ed25519 key in the DER encoding of a private key. */
const derPrefix = Buffer.from('302e020100300506032b657004220420', 'hex')

export function generateSecretKey(): SecretKey {
  const { privateKey } = generateKeyPairSync('ed25519')
  const seed = privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(derPrefix.length)
  const { x = '' } = privateKey.export({ format: 'jwk' })
  return toSecretKey(randomBytes(keyIdBytes), seed, Buffer.from(x, 'base64url'))
}

function toSecretKey(keyId: Buffer, seed: Buffer, publicBytes: Buffer): SecretKey {
  const key = createPrivateKey({ key: Buffer.concat([derPrefix, seed]), format: 'der', type: 'pkcs8' })
  return { keyId, key, publicKey: toPublicKey(keyId, publicBytes) }
}

/** The content of the file of a secret key. Without a passphrase it is not encrypted, like a key of `minisign -W`. */
export async function formatSecretKey({ keyId, key }: SecretKey, passphrase: string | undefined): Promise<string> {
  const seed = key.export({ format: 'der', type: 'pkcs8' }).subarray(derPrefix.length)
  const publicBytes = Buffer.from(key.export({ format: 'jwk' }).x ?? '', 'base64url')
  const plain = Buffer.concat([keyId, seed, publicBytes])
  const opened = Buffer.concat([plain, checksumOf(plain)])
  const salt = passphrase === undefined ? Buffer.alloc(fields.salt) : randomBytes(fields.salt)
  const numbers = Buffer.alloc(fields.operations + fields.memory)
  if (passphrase !== undefined) {
    numbers.writeBigUInt64LE(costs.operations, 0)
    numbers.writeBigUInt64LE(costs.memory, fields.operations)
  }
  const sealed = passphrase === undefined ? opened : xor(opened, await deriveStream(passphrase, salt, costs))
  const derivation = passphrase === undefined ? '\0\0' : scryptDerivation
  const head = Buffer.from(plainAlgorithm + derivation + checksumAlgorithm, 'latin1')
  const name = passphrase === undefined ? 'unencrypted' : 'encrypted'
  const content = Buffer.concat([head, salt, numbers, sealed]).toString('base64')
  return `untrusted comment: minisign ${name} secret key\n${content}\n`
}

/** Opens the file of a secret key. The passphrase is only requested if the key is encrypted. */
export async function openSecretKey(content: string, askPassphrase: () => Promise<string>): Promise<SecretKey> {
  const { algorithm, derivation, checksum, salt, operations, memory, sealed } = splitFile(content)
  const isKnown = algorithm.toString('latin1') === plainAlgorithm && checksum.toString('latin1') === checksumAlgorithm
  const isEncrypted = derivation.toString('latin1') === scryptDerivation
  if (!isKnown || (!isEncrypted && derivation.some((byte) => byte !== 0))) throw notAKey()
  const limits = { operations: operations.readBigUInt64LE(), memory: memory.readBigUInt64LE() }
  const opened = isEncrypted ? xor(sealed, await deriveStream(await askPassphrase(), salt, limits)) : sealed
  const plain = opened.subarray(0, -checksumBytes)
  const stored = opened.subarray(-checksumBytes)
  // minisign writes no checksum if the key is not encrypted.
  const hasNoChecksum = !isEncrypted && stored.every((byte) => byte === 0)
  if (!hasNoChecksum && !checksumOf(plain).equals(stored))
    throw new SigningError(isEncrypted ? 'The passphrase is wrong.' : 'The secret key is damaged.')
  const seed = plain.subarray(keyIdBytes, keyIdBytes + seedBytes)
  return toSecretKey(plain.subarray(0, keyIdBytes), seed, plain.subarray(keyIdBytes + seedBytes))
}

function splitFile(content: string): Record<keyof typeof fields, Buffer> {
  const lines = content.split(/\r?\n/).filter((line) => line.trim() !== '' && !line.startsWith('untrusted comment:'))
  const bytes = Buffer.from(lines[0] ?? '', 'base64')
  const total = Object.values(fields).reduce((sum, length) => sum + length, 0)
  if (lines.length !== 1 || bytes.length !== total) throw notAKey()
  let from = 0
  const parts = Object.entries(fields).map(([name, length]) => {
    from += length
    return [name, bytes.subarray(from - length, from)]
  })
  return Object.fromEntries(parts) as Record<keyof typeof fields, Buffer>
}

function notAKey(): SigningError {
  return new SigningError('The file of --key is not a secret key of minisign.')
}

/** Node offers BLAKE2b only with 64 bytes of output. A shorter one is another hash, not a part of the longer one. */
function checksumOf(plain: Buffer): Buffer {
  return Buffer.from(blake2b(Buffer.concat([Buffer.from(plainAlgorithm), plain]), { dkLen: checksumBytes }))
}

const xor = (one: Buffer, other: Buffer) => Buffer.from(one.map((byte, index) => byte ^ (other[index] ?? 0)))

/** Derives as many bytes as the sealed part has, with the parameters that libsodium chooses for these costs. */
async function deriveStream(
  passphrase: string,
  salt: Buffer,
  { operations, memory }: { operations: bigint; memory: bigint },
): Promise<Buffer> {
  if (memory > maxMemory) throw new SigningError('The secret key needs more memory for its passphrase than is allowed.')
  const blockSize = 8n
  const allowed = operations < 32_768n ? 32_768n : operations
  const isShortOfOperations = allowed < memory / 32n
  const maxN = isShortOfOperations ? allowed / (blockSize * 4n) : memory / (blockSize * 128n)
  let logN = 1n
  while (logN < 63n && 1n << logN <= maxN / 2n) logN++
  const parallel = isShortOfOperations ? 1n : allowed / 4n / (1n << logN) / blockSize
  const parameters = { N: Number(1n << logN), r: Number(blockSize), p: Number(parallel), maxmem: Number(maxMemory) * 2 }
  const derive = promisify<string, Buffer, number, object, Buffer>(scrypt)
  return derive(passphrase, salt, fields.sealed, parameters)
}
