import { appendFile, chmod, open, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { generatePackageHash } from '../../src/features/packages/api/generate-package-hash.ts'
import { contentFolderOf, contentPathOf, incomingFolderOf } from '../../src/features/packages/content/content-folder.ts'
import { openContent, type PackageFile } from '../../src/features/packages/content/open-content.ts'
import { storeContent } from '../../src/features/packages/content/store-content.ts'
import { listCatalogFiles } from '../../src/features/patches/catalog/catalog-files.ts'
import { openContentWorld, sha256Of } from './content-world.ts'
import { manifestOf } from './package-world.ts'

const { as, ended, folder, imported, importedFile, store, storedHashes } = await openContentWorld()

async function readContent(file: PackageFile): Promise<string | undefined> {
  const opened = await openContent(store, file)
  return opened && (await opened.readFile('utf8').finally(() => opened.close()))
}

describe('an import', () => {
  test('an import stores the content of each file once, read-only, for the service alone', async () => {
    const manifest = manifestOf({ name: 'stored' })
    await folder('stored', { 'muster-package.json': manifest, 'a.txt': 'twice', 'b/b.txt': 'twice', empty: '' })

    const { status } = await imported('stored')

    expect(status).toBe('Success')
    expect(await storedHashes()).toEqual([sha256Of(JSON.stringify(manifest)), sha256Of('twice'), sha256Of('')].sort())
    const { mode } = await stat(contentPathOf(store, sha256Of('twice')))
    expect(mode & 0o777).toBe(0o444)
    expect((await stat(contentFolderOf(store))).mode & 0o777).toBe(0o700)
    expect(await readdir(incomingFolderOf(store))).toEqual([])
  })

  test('an import that fails or is repeated leaves nothing incomplete', async () => {
    const { id, file } = await importedFile('again', 'again')
    await folder('unknown-variable', {
      'muster-package.json': manifestOf({ name: 'fails', variables: [{ variable: 'No.Such', value: '1' }] }),
    })

    const failed = await imported('unknown-variable')
    const repeated = await imported('again', true)

    expect(failed.status).toBe('Failed')
    expect(repeated).toMatchObject({ status: 'Success', packageId: id })
    expect(await storedHashes()).toContain(file.sha256)
    expect(await readdir(incomingFolderOf(store))).toEqual([])
  })

  test('importing a package again repairs a damaged copy', async () => {
    const { file } = await importedFile('damaged', 'as imported')
    const path = contentPathOf(store, file.sha256)
    await chmod(path, 0o644)
    await writeFile(path, 'AS IMPORTED')

    await imported('damaged', true)

    expect(await readContent(file)).toBe('as imported')
  })

  // On Linux, another spelling of its name is another folder, which does not exist.
  test.each(['.muster-content', '.muster-content/incoming', '.muster-content\\incoming'])(
    'the content folder cannot be imported: %s',
    async (path) => {
      await folder('.muster-content', { 'muster-package.json': manifestOf({ name: 'content' }), 'patches.json': '{}' })
      await folder('.muster-content/incoming', { 'muster-package.json': manifestOf({ name: 'incoming' }) })

      expect(await imported(path)).toMatchObject({ status: 'Failed', message: expect.stringContaining('no packages') })
      await expect(listCatalogFiles(store, path)).rejects.toThrow('does not exist')
    },
  )
})

describe('a copy', () => {
  test('content has the hash of its name even if its source is written to during the copy', async () => {
    const [before, after] = [Buffer.alloc(3_000_000, 'b'), Buffer.alloc(3_000_000, 'a')]
    await folder('written', { source: before })
    const source = await open(join(store, 'written/source'), 'r')
    let writing: Promise<void> | undefined

    const { sha256, size } = await storeContent(store, source, {
      onRead: () => {
        writing ??= writeFile(join(store, 'written/source'), after, { flag: 'r+' })
      },
    }).finally(() => source.close())
    await writing
    await writeFile(join(store, 'written/source'), 'other')

    expect(size).toBe(3_000_000)
    expect(await storedHashes()).toEqual([sha256])
  })

  test('a copy that is interrupted or that does not have the expected hash leaves nothing', async () => {
    await folder('interrupted', { source: Buffer.alloc(3_000_000) })
    const source = await open(join(store, 'interrupted/source'), 'r')
    const onRead = () => {
      throw new Error('interrupted')
    }

    await expect(storeContent(store, source, { onRead })).rejects.toThrow('interrupted')
    await storeContent(store, source, { expectedHash: sha256Of('other') }).finally(() => source.close())

    expect(await storedHashes()).toEqual([])
    expect(await readdir(incomingFolderOf(store))).toEqual([])
  })
})

describe('packages without content', () => {
  test('content is taken from the folder when a file is requested for the first time', async () => {
    const { file, path } = await importedFile('earlier', 'of an earlier version')
    await rm(contentFolderOf(store), { recursive: true })

    const first = await Promise.all([readContent(file), readContent(file)])
    await writeFile(path, 'OF AN EARLIER VERSION')

    expect([...first, await readContent(file)]).toEqual(Array(3).fill('of an earlier version'))
  })

  test('a file that is missing or has changed since the import is not taken', async () => {
    const { file, path } = await importedFile('changed', 'as imported')
    await rm(contentFolderOf(store), { recursive: true })

    await writeFile(path, 'AS IMPORTED')
    const changed = await readContent(file)
    await appendFile(path, '!')
    const longer = await readContent(file)
    await rm(path)
    const missing = await readContent(file)

    expect([changed, longer, missing]).toEqual([undefined, undefined, undefined])
    expect(await storedHashes()).toEqual([])
  })

  test('a truncated copy is replaced', async () => {
    const { file } = await importedFile('truncated', 'as imported')
    const path = contentPathOf(store, file.sha256)
    await chmod(path, 0o644)
    await writeFile(path, '')

    expect(await readContent(file)).toBe('as imported')
    expect(await storedHashes()).toContain(file.sha256)
  })

  test('hashing a package again makes its missing copies, unless its files have changed', async () => {
    const { id, file, path } = await importedFile('hashed', 'as imported')
    const hashAgain = async () => {
      await rm(contentFolderOf(store), { recursive: true, force: true })
      const { body } = await as('package.write').call(generatePackageHash, { params: { id } })
      return { status: (await ended(body.trackingId)).status, hashes: await storedHashes() }
    }

    const unchanged = await hashAgain()
    await writeFile(path, 'changed')
    const changed = await hashAgain()

    expect(unchanged).toEqual({ status: 'Success', hashes: expect.arrayContaining([file.sha256]) })
    expect(changed).toEqual({ status: 'Failed', hashes: [] })
  })
})
