import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { generateSecretKey, isSignedBy, parseSignature } from '@muster/signing'
import { afterAll, expect, test } from 'vitest'
import { manifestName, manifestSignatureName } from '../src/manifest.ts'
import { listFiles } from '../src/package-folder.ts'
import { readManifest } from '../src/read-manifest.ts'
import { signPackage } from '../src/sign-package.ts'

const root = await mkdtemp(join(tmpdir(), 'muster-package-'))
afterAll(() => rm(root, { recursive: true }))

const { signal } = new AbortController()
const key = generateSecretKey()

const software = {
  kind: 'software',
  name: 'greeting',
  version: '1.0',
  operatingSystems: ['Linux'],
  commands: { install: { argv: ['sh', 'install.sh'] } },
}

/** A folder with these files. A text is written as it is, everything else as JSON. */
async function packageWith(files: Record<string, unknown>): Promise<string> {
  const folder = await mkdtemp(join(root, 'package-'))
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), typeof content === 'string' ? content : JSON.stringify(content))
  }
  return folder
}

const readIn = async (folder: string) => readManifest(folder, await listFiles(folder, signal))

test('a signature covers the manifest, which lists every other file with its hash', async () => {
  const folder = await packageWith({ [manifestName]: software, 'install.sh': 'echo hello', 'data/more.txt': '' })

  const sentence = await signPackage(folder, key)

  const content = await readFile(join(folder, manifestName))
  const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')
  expect(sentence).toBe(`Signed greeting 1.0 with 2 files, by the key ${key.publicKey.keyId}.`)
  expect(JSON.parse(content.toString())).toEqual({
    ...software,
    files: [
      { path: 'data/more.txt', size: 0, sha256: hashOf('') },
      { path: 'install.sh', size: 10, sha256: hashOf('echo hello') },
    ],
  })
  const signature = parseSignature(await readFile(join(folder, manifestSignatureName), 'utf8'))
  expect(isSignedBy(key.publicKey, content, signature)).toBe(true)
})

test('a package that is signed again lists neither the manifest nor its signature', async () => {
  const folder = await packageWith({ [manifestName]: software, 'install.sh': '' })

  await signPackage(folder, key)
  await signPackage(folder, key)

  expect((await readIn(folder)).manifest.files?.map(({ path }) => path)).toEqual(['install.sh'])
})

test('a package that cannot be signed keeps its files, and gets no signature', async () => {
  const folder = await packageWith({ [manifestName]: software, 'muster-collections.json': {} })

  await expect(signPackage(folder, key)).rejects.toThrow('agents write a file of this name')
  expect(JSON.parse(await readFile(join(folder, manifestName), 'utf8'))).toEqual(software)
  await expect(stat(join(folder, manifestSignatureName))).rejects.toThrow('ENOENT')
})

test.each([
  [{}, 'The folder has no muster-package.json'],
  [{ [manifestName]: 'no JSON' }, 'is not valid JSON'],
  [{ [manifestName]: '['.repeat(1_000) }, 'is nested deeper than 100 levels'],
  [{ [manifestName]: { ...software, kind: 'hardware' } }, "'kind' must be one of software"],
  [{ [manifestName]: { ...software, nmae: '' } }, "'nmae' is an unknown property"],
  [{ [manifestName]: { ...software, commands: {} } }, "'commands.install' is required"],
  [{ [manifestName]: { ...software, requires: ['Greeting'] } }, "'requires' must not name the package itself"],
  [
    { [manifestName]: { ...software, operatingSystems: ['Windows'], msi: { file: 'gone.msi' } } },
    "names 'gone.msi', which is not a file of the package",
  ],
])('the manifest of %j is refused', async (files, reason) => {
  await expect(packageWith(files).then(readIn)).rejects.toThrow(reason)
})

test('only names that every operating system can store and distinguish are accepted', async () => {
  await expect(listFiles(await packageWith({ 'Read.me': '', 'read.ME': '' }), signal)).rejects.toThrow(
    'differ only in case',
  )
  await expect(listFiles(await packageWith({ 'aux.txt': '' }), signal)).rejects.toThrow('Windows reserves')
  await expect(listFiles(await packageWith({ 'a\u202eb': '' }), signal)).rejects.toThrow('invisible characters')
})

test('a link is refused, wherever it leads to', async () => {
  const folder = await packageWith({ 'install.sh': '' })
  await symlink('install.sh', join(folder, 'link'))

  await expect(listFiles(folder, signal)).rejects.toThrow("'link' is a link")
})
