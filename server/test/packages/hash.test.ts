import { appendFile, mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { hashFiles, listFiles } from '@muster/package-format'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { generatePackageHash } from '../../src/features/packages/api/generate-package-hash.ts'
import { getPackage } from '../../src/features/packages/api/get-package.ts'
import { deploymentsIn } from '../deployments/deployment-world.ts'
import { manifestOf, openPackageWorld } from './package-world.ts'

const { as, db, given, store, folder, imported, ended } = await openPackageWorld()

async function generateHash(id: string) {
  const { body, status, headers } = await as('package.write').call(generatePackageHash, { params: { id } })
  expect(status).toBe(202)
  expect(headers.location).toBe(`/api/packages/import/${body.trackingId}`)
  const { status: outcome, message, packageId } = await ended(body.trackingId)
  expect(packageId).toBe(id)
  const { hashState } = (await as('package.read').call(getPackage, { params: { id } })).body
  return { outcome, message, hashState }
}

async function importedPackage(name: string) {
  await folder(name, { 'muster-package.json': manifestOf({ name }), 'sub/data.txt': 'data' })
  return (await imported(name)).packageId ?? ''
}

test('a package with unchanged files stays current', async () => {
  const id = await importedPackage('same')

  expect(await generateHash(id)).toMatchObject({ outcome: 'Success', hashState: 'Current' })
})

test.each([
  ['changed', (path: string) => writeFile(join(path, 'sub/data.txt'), 'DATA'), "'sub/data.txt'"],
  ['removed', (path: string) => rm(join(path, 'sub/data.txt')), "'sub/data.txt'"],
  ['added', (path: string) => writeFile(join(path, 'more.txt'), ''), "'more.txt'"],
  [
    'replaced by a link',
    async (path: string) => {
      await rm(join(path, 'sub/data.txt'))
      await symlink('/etc/passwd', join(path, 'sub/data.txt'))
    },
    "'sub/data.txt' is a link",
  ],
  ['deleted with its folder', (path: string) => rm(path, { recursive: true }), 'does not exist'],
])('a package with a file that was %s is a mismatch until the files are restored', async (what, change, expected) => {
  const id = await importedPackage(`mismatch ${what}`)
  const path = join(store, `mismatch ${what}`)
  await change(path)

  const before = await generateHash(id)
  await rm(path, { recursive: true, force: true })
  await folder(`mismatch ${what}`, {
    'muster-package.json': manifestOf({ name: `mismatch ${what}` }),
    'sub/data.txt': 'data',
  })
  const after = await generateHash(id)

  expect(before).toMatchObject({ outcome: 'Failed', hashState: 'Mismatch' })
  expect(before.message).toContain(expected)
  expect(after).toMatchObject({ outcome: 'Success', hashState: 'Current' })
})

test('agents whose work has waited for the hash of a package are called', async () => {
  const id = await importedPackage('awaited')
  const computer = await given.computer()
  await deploymentsIn(db, given).work(computer, { id })
  await sql`insert into wake_connections (computer_id, disconnected_at) values (${computer.id}, now())`.execute(db)

  await generateHash(id)

  const calls = await db.selectFrom('wake_calls').select('computer_id').where('computer_id', '=', computer.id).execute()
  expect(calls).toHaveLength(1)
})

test('hashing a package without a folder fails', async () => {
  const { id } = await given.package({ folder: null })

  expect(await generateHash(id)).toMatchObject({ outcome: 'Failed', hashState: 'None' })
})

test('hashing an unknown package is answered with 404', async () => {
  const refused = await as('package.write').call(generatePackageHash, {
    params: { id: '3f0c9a52-7c1e-4f0a-9d55-0b8f6f8c1b11' },
  })

  expect(refused).toMatchObject({ status: 404, problem: 'PackageNotFound' })
})

test('hashing fails if a file is changed or replaced after it was listed', async () => {
  const path = join(store, 'noticed')
  const { signal } = new AbortController()
  await mkdir(path, { recursive: true })
  const changes: Record<string, (file: string) => Promise<void>> = {
    append: (file) => appendFile(file, 'x'),
    'same size and content': (file) => writeFile(file, Buffer.alloc(3 * 1024 * 1024)),
  }
  for (const [name, change] of Object.entries(changes)) {
    await writeFile(join(path, name), Buffer.alloc(3 * 1024 * 1024))
    const files = (await listFiles(path, signal)).filter((file) => file.path === name)
    let changing: Promise<void> | undefined

    const hashing = hashFiles(path, files, {
      signal,
      progress: () => {
        changing ??= change(join(path, name))
      },
    })

    await expect(hashing, name).rejects.toThrow('was changed while it was read')
    await changing
  }
  const [found] = await listFiles(path, signal)
  await rename(join(path, 'append'), join(path, 'elsewhere'))
  await symlink('/etc/passwd', join(path, 'append'))
  await expect(hashFiles(path, found ? [found] : [], { signal, progress: () => {} })).rejects.toThrow('was changed')
})
