import { appendFile, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { signPackage } from '@muster/package-format'
import { generateSecretKey, type SecretKey, signContent } from '@muster/signing'
import { expect, test } from 'vitest'
import { generatePackageHash } from '../../src/features/packages/api/generate-package-hash.ts'
import { getPackage } from '../../src/features/packages/api/get-package.ts'
import { listPackages } from '../../src/features/packages/api/list-packages.ts'
import { setReadyToInstall } from '../../src/features/packages/api/set-ready-to-install.ts'
import { manifestOf, openPackageWorld } from './package-world.ts'

const [key, foreignKey] = [generateSecretKey(), generateSecretKey()]
const trustedKeys = [key.publicKey]
const { as, store, folder, imported, ended } = await openPackageWorld({ trustedKeys })

async function signedFolder(name: string, signer: SecretKey = key, text = 'first') {
  await folder(name, { 'muster-package.json': manifestOf({ name }), 'sub/data.txt': text })
  await signPackage(join(store, name), signer)
}

async function readPackage(id: string | null) {
  return (await as('package.read').call(getPackage, { params: { id: id ?? '' } })).body
}

async function release(id: string | null) {
  await as('package.write').call(setReadyToInstall, { params: { id: id ?? '' }, body: { operational: true } })
}

test('a package shows which key has signed it, and whether the installation trusts that key', async () => {
  await signedFolder('trusted')
  await signedFolder('foreign', foreignKey)
  await folder('unsigned', { 'muster-package.json': manifestOf({ name: 'unsigned' }) })

  const ids = [await imported('trusted'), await imported('foreign'), await imported('unsigned')]

  const [trusted, foreign, unsigned] = await Promise.all(ids.map(({ packageId }) => readPackage(packageId)))
  expect(trusted?.signature).toEqual({ keyId: key.publicKey.keyId, trusted: true })
  expect(foreign?.signature).toEqual({ keyId: foreignKey.publicKey.keyId, trusted: false })
  expect(unsigned?.signature).toBeNull()
  const { items } = (await as('package.read').call(listPackages)).body
  expect(items).toContainEqual(trusted)
})

test('overwrite clears the Ready-to-Install flag if the content has changed, and only then', async () => {
  await folder('release', { 'muster-package.json': manifestOf({ name: 'release' }), 'a.txt': 'a' })
  const { packageId } = await imported('release')
  await release(packageId)

  const same = await imported('release', true)
  const afterSame = await readPackage(packageId)
  await folder('release', { 'a.txt': 'b' })
  const changed = await imported('release', true)
  const afterChange = await readPackage(packageId)

  expect([same.message, afterSame.operational]).toEqual(['Imported with 2 files.', true])
  expect(changed.message).toContain('Ready-to-Install')
  expect(afterChange).toMatchObject({ operational: false, hashState: 'Current' })
  expect(afterChange.contentHash).not.toBe(afterSame.contentHash)
})

test('changed content stays released if a trusted key has signed it, and not with any other signature', async () => {
  await signedFolder('live')
  const { packageId } = await imported('live')
  await release(packageId)

  await signedFolder('live', key, 'second')
  await imported('live', true)
  const signed = await readPackage(packageId)
  await signedFolder('live', foreignKey, 'third')
  await imported('live', true)
  const strange = await readPackage(packageId)
  await release(packageId)
  await rm(join(store, 'live/muster-package.json.minisig'))
  await imported('live', true)
  const stripped = await readPackage(packageId)

  expect(signed).toMatchObject({ operational: true, signature: { trusted: true } })
  expect(strange).toMatchObject({ operational: false, signature: { trusted: false } })
  expect(stripped).toMatchObject({ operational: false, signature: null })
})

test('a signature does not release a package that was not released before', async () => {
  await signedFolder('waiting')
  const { packageId } = await imported('waiting')
  await signedFolder('waiting', key, 'second')

  await imported('waiting', true)

  expect(await readPackage(packageId)).toMatchObject({ operational: false, signature: { trusted: true } })
})

test.for<[what: string, change: (path: string) => Promise<unknown>, reason: string]>([
  ['a changed manifest', (path) => appendFile(join(path, 'muster-package.json'), ' '), 'was changed after the key'],
  ['a changed file', (path) => writeFile(join(path, 'sub/data.txt'), 'First'), "differs from 'files'"],
  ['another file', (path) => writeFile(join(path, 'more.txt'), 'more'), "is not in 'files'"],
  ['a missing file', (path) => rm(join(path, 'sub/data.txt')), "'files' of muster-package.json lists it"],
  [
    'a signature that is no signature',
    (path) => writeFile(join(path, 'muster-package.json.minisig'), 'untrusted comment: none\n'),
    'is not a signature of minisign',
  ],
  [
    'a signature by another key with the same id',
    async (path) => {
      const content = await readFile(join(path, 'muster-package.json'))
      const forged = signContent({ ...foreignKey, keyId: key.keyId }, content, 'muster-package.json')
      await writeFile(join(path, 'muster-package.json.minisig'), forged)
    },
    'another key was used',
  ],
  [
    'a signed manifest that lists no files',
    async (path) => {
      const content = Buffer.from(JSON.stringify(manifestOf({ name: 'unlisted' })))
      await writeFile(join(path, 'muster-package.json'), content)
      await writeFile(join(path, 'muster-package.json.minisig'), signContent(key, content, 'muster-package.json'))
    },
    'does not list the files',
  ],
])('a signed package with %s is not imported', async ([what, change, reason]) => {
  await signedFolder(what)
  await change(join(store, what))

  const { status, message, packageId } = await imported(what)

  expect({ status, packageId }).toEqual({ status: 'Failed', packageId: null })
  expect(message).toContain(reason)
})

test('hash generation checks the signature again, so a key can become trusted later', async () => {
  await signedFolder('later', foreignKey)
  const { packageId } = await imported('later')
  trustedKeys.push(foreignKey.publicKey)
  const before = await readPackage(packageId)

  const { body } = await as('package.write').call(generatePackageHash, { params: { id: packageId ?? '' } })
  await ended(body.trackingId)
  const after = await readPackage(packageId)
  trustedKeys.pop()
  const withdrawn = await readPackage(packageId)

  expect([before, after, withdrawn].map(({ signature }) => signature?.trusted)).toEqual([false, true, false])
})
