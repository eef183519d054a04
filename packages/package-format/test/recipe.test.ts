import { expect, test } from 'vitest'
import { PackageFault } from '../src/package-fault.ts'
import { parseRecipe } from '../src/recipe.ts'

const manifest = {
  name: 'viewer',
  version: '1.0',
  kind: 'software',
  operatingSystems: ['Windows'],
  msi: { file: 'viewer.msi' },
}
const file = { name: 'viewer.msi', url: 'https://example.org/viewer.msi', sha256: 'a'.repeat(64) }
const fromRepository = { ...manifest, msi: undefined, operatingSystems: ['Debian'], source: { package: 'deb:viewer' } }

/** As YAML and JSON have it: without properties that are undefined. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

test('a recipe is a manifest with its defaults, and the origin of its file', () => {
  const content = plain({ $schema: 'recipe.json', manifest, file })

  const recipe = parseRecipe(content)

  expect(recipe).toMatchObject({ manifest: { ...manifest, requires: [] }, file })
  expect(content).toEqual({ $schema: 'recipe.json', manifest, file })
  expect(parseRecipe(plain({ manifest, file: { name: 'viewer.msi' } })).file).toEqual({ name: 'viewer.msi' })
  expect(parseRecipe(plain({ manifest: fromRepository })).file).toBeUndefined()
})

test.each([
  ['nothing', null, '', 'must be object'],
  ['no manifest', { file }, 'manifest', 'is required'],
  ['an unknown property', { manifest, file, colour: 'red' }, 'colour', 'is an unknown property'],
  ['a number as its version', { manifest: { ...manifest, version: 1.1 }, file }, 'manifest.version', 'must be string'],
  ['an unknown kind', { manifest: { ...manifest, kind: 'game' }, file }, 'manifest.kind', 'must be one of'],
  ['no file', { manifest }, 'file', 'is required, unless the manifest has source'],
  ['a file beside a source', { manifest: fromRepository, file }, 'file', 'must not be given with manifest.source'],
  ['an address without a hash', { manifest, file: { ...file, sha256: undefined } }, 'file.sha256', 'is required'],
  ['a hash that is none', { manifest, file: { ...file, sha256: 'abc' } }, 'file.sha256', 'must match pattern'],
  ['an address of another kind', { manifest, file: { ...file, url: 'ftp://example.org' } }, 'file.url', 'must match'],
  ['a path as the name', { manifest, file: { ...file, name: '../viewer.msi' } }, 'file.name', 'must not contain'],
  ['the name of a manifest', { manifest, file: { ...file, name: 'muster-package.json' } }, 'file.name', 'is the name'],
  ['a list of files', { manifest: { ...manifest, files: [] }, file }, 'manifest.files', 'must not be given'],
  ['another file', { manifest, file: { ...file, name: 'other.msi' } }, 'manifest.msi.file', 'which is not a file'],
])('a recipe with %s is refused with its property', (_what, content, property, reason) => {
  const parse = () => parseRecipe(plain(content))

  expect(parse).toThrow(PackageFault)
  expect(parse).toThrow(expect.objectContaining({ propertyFault: expect.objectContaining({ property }) }))
  expect(parse).toThrow(reason)
})
