import { createHash } from 'node:crypto'
import { appendFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { listPackageGroups } from '../../src/features/assignments/api/assigned-groups/list-package-groups.ts'
import { getPackage } from '../../src/features/packages/api/get-package.ts'
import { getPackageTags } from '../../src/features/packages/api/get-package-tags.ts'
import { importPackage } from '../../src/features/packages/api/import-package.ts'
import { getOperatingSystemImport } from '../../src/features/packages/api/operating-systems/get-operating-system-import.ts'
import { setPackageTags } from '../../src/features/packages/api/set-package-tags.ts'
import { fingerprints } from '../world/tables.ts'
import { manifestOf, openPackageWorld } from './package-world.ts'

const { as, db, given, store, folder, imported } = await openPackageWorld()

async function packageWithId(id: string | null) {
  return (await as('package.read').call(getPackage, { params: { id: id ?? '' } })).body
}

/** No operation lists the files of a package. */
async function filesOf(id: string | null) {
  const { rows } = await sql<{ path: string; size: number; sha256: string }>`
    select path, size, encode(sha256, 'hex') as sha256 from package_files where package_id = ${id} order by path`.execute(
    db,
  )
  return rows
}

async function skusOf(id: string | null) {
  return (await as('package.read').call(getOperatingSystemImport, { params: { id: id ?? '' } })).body.skus
}

const osManifest = (version: string, skus: { index: number; edition: string }[]) =>
  manifestOf({
    kind: 'operatingSystem',
    version,
    commands: undefined,
    image: { file: 'os.img', language: 'en-US', os: 'Example', osType: 'Server', architecture: 'x64', skus },
  })

test('a folder with a manifest becomes a package with the hash of every file', async () => {
  await folder('apps/greeting', {
    'muster-package.json': manifestOf({
      revision: '2',
      displayName: 'Greeting',
      author: 'Example',
      description: 'Greets everybody',
    }),
    'data/empty': '',
    'install.sh': 'echo hello',
  })

  const { status, packageId, progress, message, log } = await imported('apps/greeting')

  expect({ status, progress, message }).toEqual({ status: 'Success', progress: 100, message: 'Imported with 3 files.' })
  expect(log.map(({ text }) => text)).toEqual([
    expect.stringMatching(/^Found 3 files with \d+ bytes in .*apps\/greeting.*\.$/),
    'The manifest describes greeting 1.0.',
    'The package is not signed.',
    'Copied and hashed 3 files. Storing the package.',
  ])
  expect(await packageWithId(packageId)).toMatchObject({
    name: 'Greeting',
    packageName: 'greeting',
    version: '1.0',
    revision: '2',
    author: 'Example',
    description: 'Greets everybody',
    type: 'Software',
    subType: null,
    os: ['Linux'],
    operational: false,
    kind: 'Software',
    hashState: 'Current',
  })
  expect((await filesOf(packageId)).map(({ path }) => path)).toEqual([
    'data/empty',
    'install.sh',
    'muster-package.json',
  ])
  expect((await filesOf(packageId))[1]).toEqual({
    path: 'install.sh',
    size: 10,
    sha256: createHash('sha256').update('echo hello').digest('hex'),
  })
})

test('a folder path with backslashes means the same as one with slashes', async () => {
  await folder('windows/style', { 'muster-package.json': manifestOf({ name: 'windows-style' }) })

  expect(await imported('windows\\style')).toMatchObject({ status: 'Success' })
})

test('a dry run of an import enqueues no job', async () => {
  const jobs = async () =>
    (await sql`select id from pgboss.job union all select id from background_jobs`.execute(db)).rows
  const before = await jobs()

  const tried = await as('package.write').call(importPackage, {
    body: { folderPath: 'apps/greeting' },
    query: { dryRun: true },
  })

  expect(tried.status).toBe(202)
  expect(await jobs()).toEqual(before)
})

test('an existing identity is refused without overwrite, regardless of case and the order of operating systems', async () => {
  await folder('twice/a', { 'muster-package.json': manifestOf({ name: 'twice', operatingSystems: ['A', 'B'] }) })
  await folder('twice/b', { 'muster-package.json': manifestOf({ name: 'TWICE', operatingSystems: ['B', 'A'] }) })
  const first = await imported('twice/a')
  const { background_jobs: _, ...before } = await fingerprints(db)

  const second = await imported('twice/b')

  expect(second.status).toBe('Failed')
  expect(second.message).toContain('exists already')
  expect(second.message).toContain('overwrite=true')
  const { background_jobs: __, audit_entries: ___, audit_chains: ____, ...after } = await fingerprints(db)
  expect(before).toMatchObject(after)
  expect(await packageWithId(first.packageId)).toMatchObject({ packageName: 'twice' })
})

test('another version, revision or operating system makes another package', async () => {
  const variants = [{ version: '2.0' }, { revision: '7' }, { operatingSystems: ['Linux', 'Windows 11'] }]
  const ids = new Set<string | null>()
  for (const [index, changes] of variants.entries()) {
    await folder(`variant/${index}`, { 'muster-package.json': manifestOf({ name: 'variant', ...changes }) })

    const { status, packageId } = await imported(`variant/${index}`)

    expect(status).toBe('Success')
    ids.add(packageId)
  }
  expect(ids.size).toBe(3)
})

test('overwrite replaces the content and keeps the id, the assignments and the tags', async () => {
  await folder('over/old', { 'muster-package.json': manifestOf({ name: 'over' }), 'old.txt': 'old' })
  await folder('over/new', { 'muster-package.json': manifestOf({ name: 'over', author: 'New' }), 'new.txt': 'new' })
  const { packageId } = await imported('over/old')
  const params = { id: packageId ?? '' }
  const group = await given.group()
  await given.assignment(group, params, 'package')
  await as('package.write').call(setPackageTags, { params, body: { tagIds: [1] } })

  const second = await imported('over/new', true)

  expect(second).toMatchObject({ status: 'Success', packageId, message: 'Imported with 2 files.' })
  expect(await packageWithId(packageId)).toMatchObject({ author: 'New', operational: false })
  expect((await filesOf(packageId)).map(({ path }) => path)).toEqual(['muster-package.json', 'new.txt'])
  expect((await as('package.read').call(listPackageGroups, { params })).body.items).toMatchObject([{ id: group.id }])
  expect((await as('package.read').call(getPackageTags, { params })).body.items).toMatchObject([{ id: 1 }])
})

test('overwrite keeps the ids of editions that are still in the image and removes the others', async () => {
  await folder('os/1', {
    'muster-package.json': osManifest('1', [
      { index: 1, edition: 'Home' },
      { index: 4, edition: 'Education' },
    ]),
    'os.img': 'image',
  })
  const { packageId } = await imported('os/1')
  const before = await skusOf(packageId)
  await folder('os/1', {
    'muster-package.json': osManifest('1', [
      { index: 4, edition: 'Enterprise' },
      { index: 6, edition: 'Server' },
    ]),
  })

  await imported('os/1', true)

  const after = await skusOf(packageId)
  expect(after).toEqual([
    { ...before[1], edition: 'Enterprise' },
    { ...before[1], skuId: expect.any(Number), skuIndex: 6, edition: 'Server' },
  ])
})

test('overwrite does not change the kind of a package', async () => {
  await folder('kind/1', { 'muster-package.json': manifestOf({ name: 'kind' }) })
  await folder('kind/2', {
    'muster-package.json': manifestOf({ name: 'kind', kind: 'agentTemplate', commands: undefined, settings: {} }),
  })
  await imported('kind/1')

  const second = await imported('kind/2', true)

  expect(second.status).toBe('Failed')
  expect(second.message).toContain('another kind')
})

test('a folder belongs to one package', async () => {
  await folder('moved', { 'muster-package.json': manifestOf({ name: 'moved' }) })
  await imported('moved')
  await folder('moved', { 'muster-package.json': manifestOf({ name: 'moved', version: '2.0' }) })

  const second = await imported('moved', true)

  expect(second).toMatchObject({ status: 'Failed' })
  expect(second.message).toContain('belongs to another package')
})

test('concurrent imports of one package create it once', async () => {
  await folder('race', { 'muster-package.json': manifestOf({ name: 'race' }) })

  const results = await Promise.all(Array.from({ length: 20 }, (_, index) => imported('race', index % 2 === 0)))

  const ids = new Set(results.filter(({ status }) => status === 'Success').map(({ packageId }) => packageId))
  expect(ids.size).toBe(1)
  for (const { status, message } of results) if (status === 'Failed') expect(message).toContain('exists already')
})

describe('default values of variables in packages', () => {
  test('an import stores the default values of variables, and overwrite replaces them', async () => {
    const server = await given.variable()
    const port = await given.variable()
    const withVariables = (...variables: object[]) => manifestOf({ name: 'variables', variables })
    await folder('variables', {
      'muster-package.json': withVariables(
        { variable: server.dotted_name.toUpperCase(), value: 'a' },
        { variable: port.dotted_name, value: '' },
      ),
    })
    const { packageId } = await imported('variables')
    await folder('variables', { 'muster-package.json': withVariables({ variable: server.dotted_name, value: 'b' }) })

    await imported('variables', true)

    const values = await db
      .selectFrom('package_variables')
      .select(['variable_id', 'value'])
      .where('package_id', '=', packageId ?? '')
      .execute()
    expect(values).toEqual([{ variable_id: server.id, value: 'b' }])
  })

  test.each(['unknown', 'secret', 'category', 'collection', 'column'])(
    'an import with a default value for a variable that is %s is refused',
    async (what) => {
      const collection = await given.variable({ kind: 'Collection' })
      const names: Record<string, string> = {
        unknown: 'No.Such.Variable',
        secret: (await given.variable({ is_secret: true })).dotted_name,
        category: (await given.variable({ kind: 'Category' })).dotted_name,
        collection: collection.dotted_name,
        column: (await given.variable({ parent: collection })).dotted_name,
      }
      const variables = [{ variable: names[what], value: 'x' }]
      await folder(`refused/${what}`, { 'muster-package.json': manifestOf({ name: `refused ${what}`, variables }) })

      const { status, message, packageId } = await imported(`refused/${what}`)

      expect({ status, packageId }).toEqual({ status: 'Failed', packageId: null })
      expect(message).toContain(`The variable '${names[what]}'`)
    },
  )
})

test.each([
  ['no/such/folder', 'does not exist in the package store'],
  ['file', 'is not a folder of the package store'],
  ['file/below', 'does not exist in the package store'],
])('an import of %s is refused at once, even as a dry run, because the path %s', async (folderPath, reason) => {
  await writeFile(join(store, 'file'), '')

  const refused = await as('package.write').call(importPackage, { body: { folderPath }, query: { dryRun: true } })

  expect(refused).toMatchObject({ status: 400, raw: { errors: [{ in: 'body', name: 'folderPath', reason }] } })
})

test('an import of a folder without a manifest fails with a message that says what is missing', async () => {
  await folder('bare', { 'install.sh': '' })

  expect((await imported('bare')).message).toBe(
    'The folder has no muster-package.json. Every package needs one at the top level of its folder.',
  )
})

test('a folder that changes during its import is not imported', async () => {
  await folder('busy', {
    'muster-package.json': manifestOf({ name: 'busy' }),
    'a-large-file': Buffer.alloc(150 * 1024 * 1024),
  })
  const running = imported('busy')
  let isOver = false
  const writer = (async () => {
    for (let number = 0; !isOver; number++) await appendFile(join(store, 'busy/a-large-file'), `${number}`)
  })()

  const { status, message } = await running

  isOver = true
  await writer
  await rm(join(store, 'busy'), { recursive: true })
  expect(status).toBe('Failed')
  expect(message).toContain('was changed while it was read')
})
