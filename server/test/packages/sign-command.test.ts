import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createKeyFiles, isSignedBy, parsePublicKey, parseSignature } from '@muster/signing'
import { afterAll, expect, test } from 'vitest'
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
  await createKeyFiles(join(folder, 'key'), false)
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
