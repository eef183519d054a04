import { expect, test } from 'vitest'
import { signKeyList } from '../src/key-list.ts'
import { MinisignFault, parsePublicKey } from '../src/public-key.ts'
import { formatSecretKey, generateSecretKey, openSecretKey } from '../src/secret-key.ts'
import { signContent } from '../src/sign-content.ts'
import { isSignedBy, parseSignature } from '../src/signature.ts'
import { SigningError } from '../src/signing-error.ts'

/** Written by minisign 0.11 with `-G -W`, `-S` and `-S -l`. */
const recorded = {
  secretKey:
    'untrusted comment: minisign encrypted secret key\nRWQAAEIyAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA5KvTS9+kwZnGNoX65TRxgr+ps0XjihF2vMyU5ELkUzv49Ie8NYzgkHNkfuTZSoqZyNVgzp+K1q7ml5ncSthjuHk7T7NJs6btAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n',
  publicKey:
    'untrusted comment: minisign public key 99C1A4DF4BD3ABE4\nRWTkq9NL36TBmXNkfuTZSoqZyNVgzp+K1q7ml5ncSthjuHk7T7NJs6bt\n',
  content: Buffer.from('The content that minisign has signed.\n'),
  hashed:
    'untrusted comment: signature from minisign secret key\nRUTkq9NL36TBmfLeWuLuxvvASNZpd70fKTH3eIpRVtzpdESqVKsJmuD90qhiFtBDKIvw5N/jxIW4vAGNxFYIVzlr45oTZkcb2Qc=\ntrusted comment: a trusted comment\nAzv/MOISfINP+cjq3WfcbOA0OvDrGAwcZk7mr5nNtdc+aRR15rSO6jeRbdTXsExaVhG0q7T2nAvwjYmRo2QnBw==\n',
  legacy:
    'untrusted comment: signature from minisign secret key\nRWTkq9NL36TBmVzjWdo4XDnyAYHtsz5Y+K61v4fFi1yXxRJzhJHwdTQ1z/9vLPE8kTze4DeYWIVpJKwFach07WxWKfuumvFebQY=\ntrusted comment: a trusted comment\nLVxMsz9rZlOGN/tJ2or7UlETxWkuz7wcFsMMaDBIpBv2AYCBZEqENvA48h2n5/heTpH00q41elRbqd7iAh2pBw==\n',
}

test('keys and signatures of minisign are understood, with and without a hash', async () => {
  const key = parsePublicKey(recorded.publicKey)
  const secretKey = await openSecretKey(recorded.secretKey, () => Promise.reject(new Error('It is not encrypted.')))

  expect(key.keyId).toBe('99C1A4DF4BD3ABE4')
  expect(secretKey.publicKey.text).toBe(key.text)
  for (const file of [recorded.hashed, recorded.legacy, signContent(secretKey, recorded.content, 'content')]) {
    const signature = parseSignature(file)
    const otherComment = { ...signature, trustedComment: 'another comment' }
    expect(isSignedBy(key, recorded.content, signature)).toBe(true)
    expect(isSignedBy(key, Buffer.from('other content'), signature)).toBe(false)
    expect(isSignedBy(key, recorded.content, otherComment)).toBe(false)
  }
})

const neverAsked = () => Promise.reject(new Error('It is not encrypted.'))

test('a key is the same after it was written and read, and signs for nobody else', async () => {
  const key = generateSecretKey()
  const other = generateSecretKey()
  const content = Buffer.from('content')

  const read = await openSecretKey(await formatSecretKey(key, undefined), neverAsked)
  const signature = parseSignature(signContent(read, content, 'content'))

  expect(read.publicKey.text).toBe(key.publicKey.text)
  expect(parsePublicKey(key.publicKey.text).keyId).toBe(signature.keyId)
  expect(isSignedBy(key.publicKey, content, signature)).toBe(true)
  expect(isSignedBy(other.publicKey, content, signature)).toBe(false)
  expect(isSignedBy({ ...other.publicKey, keyId: signature.keyId }, content, signature)).toBe(false)
})

test('what is neither a key nor a signature is refused with a reason', async () => {
  const { publicKey } = generateSecretKey()

  expect(() => parsePublicKey('release.key.pub')).toThrow(MinisignFault)
  expect(() => parsePublicKey(`${publicKey.text}\n${publicKey.text}`)).toThrow('is not a public key of minisign')
  expect(() => parseSignature(publicKey.text)).toThrow('is not a signature of minisign')
  await expect(openSecretKey(publicKey.text, neverAsked)).rejects.toThrow(SigningError)
})

test('a list of trusted keys is signed with its serial, which keeps an older list from being used again', () => {
  const [old, next] = [generateSecretKey(), generateSecretKey()]

  const { trustedKeys = '', trustedKeysSignature = '' } = signKeyList([next.publicKey], 7, old)

  expect(trustedKeys).toBe(`muster-trusted-keys 7\n${next.publicKey.text}\n`)
  expect(isSignedBy(old.publicKey, Buffer.from(trustedKeys), parseSignature(trustedKeysSignature))).toBe(true)
  expect(
    isSignedBy(old.publicKey, Buffer.from(trustedKeys.replace('7', '8')), parseSignature(trustedKeysSignature)),
  ).toBe(false)
})
