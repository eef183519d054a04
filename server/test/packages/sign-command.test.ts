import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { openSecretKey } from '../../src/cli/signing/secret-key.ts'
import { signContent } from '../../src/cli/signing/sign-content.ts'
import { parsePublicKey } from '../../src/platform/minisign/public-key.ts'
import { isSignedBy, parseSignature } from '../../src/platform/minisign/signature.ts'
import { bundledProgram } from '../world/programs.ts'
import { manifestOf } from './package-world.ts'

const folder = await mkdtemp(join(tmpdir(), 'muster-sign-'))
afterAll(() => rm(folder, { recursive: true }))

const command = bundledProgram('cli/sign')
type Ended = { code?: number; stdout: string; stderr: string }
const run = (args: string[], env: NodeJS.ProcessEnv = {}): Promise<Ended> =>
  // No service and no database can be reached with this environment.
  promisify(execFile)(process.execPath, [command, ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH, ...env },
  }).catch((failed: Ended) => failed)

async function packageIn(name: string): Promise<string> {
  const path = await mkdtemp(join(folder, `${name}-`))
  await writeFile(join(path, 'muster-package.json'), JSON.stringify(manifestOf({ name })))
  await writeFile(join(path, 'install.sh'), 'echo hello')
  return path
}

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

test('the sign command makes a key and signs a package with it, without a service', async () => {
  const path = await packageIn('plain')
  const made = await run(['--new-key', 'plain.key', '--no-passphrase'])
  const signed = await run([path, '--key', 'plain.key'])

  const content = await readFile(join(path, 'muster-package.json'))
  const key = parsePublicKey(await readFile(join(folder, 'plain.key.pub'), 'utf8'))
  const signature = parseSignature(await readFile(join(path, 'muster-package.json.minisig'), 'utf8'))
  expect(made.stdout).toContain(key.keyId)
  expect((await stat(join(folder, 'plain.key'))).mode & 0o777).toBe(0o600)
  expect(signed.stdout).toBe(`Signed plain 1.0 with 1 files, by the key ${key.keyId}.\n`)
  expect(isSignedBy(key, content, signature)).toBe(true)
  expect(JSON.parse(content.toString())).toEqual({
    ...manifestOf({ name: 'plain' }),
    files: [{ path: 'install.sh', size: 10, sha256: createHash('sha256').update('echo hello').digest('hex') }],
  })
  // A second key of the same name would make the packages of the first one unusable.
  expect(await run(['--new-key', 'plain.key', '--no-passphrase'])).toMatchObject({ code: 1 })
})

test('a key with a passphrase signs only with it', async () => {
  const path = await packageIn('secret')
  await run(['--new-key', 'secret.key'], { MUSTER_SIGN_PASSPHRASE: 'a passphrase' })

  const wrong = await run([path, '--key', 'secret.key'], { MUSTER_SIGN_PASSPHRASE: 'another' })
  const right = await run([path, '--key', 'secret.key'], { MUSTER_SIGN_PASSPHRASE: 'a passphrase' })

  expect(wrong).toMatchObject({ code: 1, stderr: 'The passphrase is wrong.\n' })
  expect(right.stdout).toContain('Signed secret 1.0')
  expect(await readFile(join(folder, 'secret.key'), 'utf8')).toContain('encrypted secret key')
}, 60_000)

test('the sign command says in one sentence why a package cannot be signed', async () => {
  await writeFile(join(folder, 'key'), recorded.secretKey)
  const [invalid, reserved] = [await packageIn('invalid'), await packageIn('reserved')]
  await writeFile(join(invalid, 'muster-package.json'), JSON.stringify(manifestOf({ nmae: 'typo' })))
  await writeFile(join(reserved, 'muster-collections.json'), '{}')

  expect((await run([invalid, '--key', 'key'])).stderr).toContain("muster-package.json: 'nmae'")
  expect((await run([reserved, '--key', 'key'])).stderr).toContain('agents write a file of this name')
  expect((await run([join(folder, 'nowhere'), '--key', 'key'])).stderr).toContain('no such file or directory')
  expect((await run([invalid, '--key', join(invalid, 'install.sh')])).stderr).toContain('is not a secret key')
  expect(await run(['--help'])).toMatchObject({ stdout: expect.stringContaining('npm run sign -- FOLDER') })
  expect(await run([])).toMatchObject({ code: 1 })
})
