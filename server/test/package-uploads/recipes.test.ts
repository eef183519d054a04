import { expect, test } from 'vitest'
import { planPackageRecipes } from '../../src/features/package-uploads/api/plan-package-recipes.ts'
import { addRepositoryPackage } from '../../src/features/packages/api/add-repository-package.ts'
import { parseDownloadHost } from '../../src/platform/downloads/download-hosts.ts'
import { openUploadWorld, sha256Of } from './upload-world.ts'

const packageHosts = [parseDownloadHost('public', 'downloads.example.org', true)]
const { as, db, ended, given, importedUpload, packager, uploaded } = await openUploadWorld({ packageHosts })

const content = 'an installer'
const recipeOf = (name: string, changes: object = {}) => ({
  manifest: {
    name,
    version: '1.0',
    kind: 'software',
    operatingSystems: ['Windows', 'Windows 11'],
    commands: { install: { argv: ['setup.exe', '/S'] } },
    ...changes,
  },
  file: { name: 'setup.exe', sha256: sha256Of(content) },
})

async function planned(...recipes: Record<string, unknown>[]) {
  const { body } = await as('package.read').call(planPackageRecipes, { body: { recipes } })
  return body.items
}

/** Makes the package of a recipe, and returns its id. */
async function made(recipe: ReturnType<typeof recipeOf>) {
  const { caller } = await packager()
  const id = await uploaded(caller, content, 'download.exe')
  const { packageId } = await importedUpload(caller, id, { manifest: recipe.manifest, fileName: recipe.file.name })
  return packageId
}

test('a recipe is to be added until its package exists, and is the same then, whatever the order of its properties is', async () => {
  const recipe = recipeOf('ordered')
  const before = await planned(recipe)

  const packageId = await made(recipe)

  expect(before).toEqual([{ action: 'Add', packageId: null, fields: [], blockers: [] }])
  const { name, version, operatingSystems, ...rest } = recipe.manifest
  const reordered = { ...rest, $schema: 'x.json', operatingSystems: operatingSystems.toReversed(), version, name }
  expect(await planned(recipe, { ...recipe, manifest: reordered })).toEqual([
    { action: 'None', packageId, fields: [], blockers: [] },
    { action: 'None', packageId, fields: [], blockers: [] },
  ])
})

test('what differs is named: properties, and the file by its name and its hash if there is one', async () => {
  const recipe = recipeOf('changed', { description: 'Before' })
  const packageId = await made(recipe)
  const changed = recipeOf('changed', { displayName: 'Changed', commands: { install: { argv: ['setup.exe', '/Q'] } } })

  const items = await planned(
    changed,
    { ...recipe, file: { ...recipe.file, sha256: 'f'.repeat(64) } },
    { ...recipe, file: { ...recipe.file, name: 'other.exe' } },
    { ...recipe, file: { name: 'setup.exe' } },
    recipeOf('changed', { version: '2.0' }),
  )

  expect(items.map(({ action, fields }) => [action, fields.toSorted()])).toEqual([
    ['Change', ['commands', 'description', 'displayName']],
    ['Change', ['file']],
    ['Change', ['file']],
    ['None', []],
    ['Add', []],
  ])
  expect(items[0]?.packageId).toBe(packageId)
})

test('a signed package would lose its signature, and one of another kind blocks the change', async () => {
  const recipe = recipeOf('signed')
  const id = (await made(recipe)) ?? ''
  await db.updateTable('packages').set({ signature_key_id: 'E7620F1842B4E81F' }).where('id', '=', id).execute()

  const [same, other, kind] = await planned(
    recipe,
    recipeOf('signed', { description: 'New' }),
    recipeOf('signed', { kind: 'inventoryScan' }),
  )

  expect(same).toMatchObject({ action: 'None', fields: [] })
  expect(other).toMatchObject({ action: 'Change', fields: ['description', 'signature'], blockers: [] })
  expect(kind?.blockers).toEqual([expect.objectContaining({ property: 'manifest.kind' })])
})

test('what prevents an import is listed for each recipe by itself: a mistake, or a host that is not listed', async () => {
  const { manifest, file } = recipeOf('blocked')

  const items = await planned(
    { manifest: { ...manifest, version: 1 }, file },
    { manifest, file: { ...file, url: 'https://elsewhere.example.org/setup.exe' } },
    { manifest, file: { ...file, url: 'https://downloads.example.org/setup.exe' } },
  )

  expect(items.map(({ blockers }) => blockers)).toEqual([
    [{ property: 'manifest.version', reason: 'must be string' }],
    [
      {
        property: 'file.url',
        reason: expect.stringMatching(/^is not allowed: elsewhere\.example\.org is listed neither/),
      },
    ],
    [],
  ])
})

test('a package of a repository may have relations, conditions and variables, and is the same as its recipe then', async () => {
  const { dotted_name: variable } = await given.variable()
  const stated = {
    ...{ name: 'curl', version: 'latest', operatingSystems: ['Debian'], author: 'Packaging', revision: '2' },
    ...{ requires: ['base'], conflicts: ['wget'], supersedes: [{ name: 'old-curl', uninstallFirst: true }] },
    ...{ onlyFor: { minMemoryMb: 512 }, variables: [{ variable, value: 'proxy01' }] },
    source: { package: 'deb:curl', allowDowngrade: false, timeLimitMinutes: 60 },
  }

  const { body } = await as('package.write').call(addRepositoryPackage, { body: stated })
  const { status, packageId } = await ended(body.trackingId)

  expect(status).toBe('Success')
  const manifest = { ...stated, kind: 'software' }
  expect(await planned({ manifest })).toEqual([{ action: 'None', packageId, fields: [], blockers: [] }])
  for (const name of ['requires', 'conflicts', 'supersedes', 'variables', 'onlyFor', 'author'] as const) {
    const { [name]: _, ...without } = manifest
    expect(await planned({ manifest: without })).toMatchObject([{ action: 'Change', fields: [name] }])
  }
})
