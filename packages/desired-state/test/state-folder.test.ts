import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readStateFolder } from '../src/state-folder.ts'
import { isStateFolder } from '../src/state-path.ts'
import { writeStateFolder } from '../src/write-state-folder.ts'

const root = await mkdtemp(join(tmpdir(), 'muster-state-'))
afterAll(() => rm(root, { recursive: true }))

test('what is exported is read again as it was', async () => {
  const folder = join(root, 'exported')
  const state = {
    tags: [{ name: 'Kiosk' }],
    groups: [{ path: 'Assignment' }, { path: 'Assignment/Berlin' }, { path: 'Assignment/Berlin/Finance' }],
  }

  await writeStateFolder(folder, state)

  expect((await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.yaml')).sort()).toEqual([
    'groups/Assignment.yaml',
    'groups/Assignment/Berlin.yaml',
    'tags.yaml',
  ])
  expect((await readStateFolder(folder)).document).toEqual(state)
})

test('a section that the state does not have is not written', async () => {
  const folder = join(root, 'foreign')

  await expect(writeStateFolder(folder, { '../elsewhere': [] })).rejects.toThrow('elsewhere')
  expect(await readdir(root)).not.toContain('elsewhere.yaml')
})

test('an export removes groups that no longer exist, and nothing that is no state', async () => {
  const folder = join(root, 'changed')
  await mkdir(join(folder, 'groups'), { recursive: true })
  await writeFile(join(folder, 'groups/Old.yaml'), 'groups:\n  - path: Configuration/Old\n')
  await writeFile(join(folder, 'groups/README.md'), 'Ours')

  await writeStateFolder(folder, { groups: [{ path: 'Configuration/New' }] })

  expect(await readFile(join(folder, 'groups/README.md'), 'utf8')).toBe('Ours')
  expect((await readStateFolder(folder)).document).toEqual({ groups: [{ path: 'Configuration/New' }] })
})

test('an object is found at its file and line', async () => {
  const folder = join(root, 'places')
  await mkdir(folder)
  await writeFile(join(folder, 'first.yaml'), 'tags:\n  - name: Kiosk\n')
  await writeFile(join(folder, 'second.yml'), '# Added later\ntags:\n  - name: Till\n    description: 1\n')

  const { document, places } = await readStateFolder(folder)

  expect(document).toEqual({ tags: [{ name: 'Kiosk' }, { name: 'Till', description: 1 }] })
  expect(places.ofObject('tags', 'Till')).toEqual(['second.yml:3'])
  expect(places.ofProperty('state.tags.1.description')).toEqual({ place: 'second.yml:4', name: 'description' })
})

test('a path is a folder of a state unless it is, or would be, a single document', async () => {
  await writeFile(join(root, 'document'), '')

  expect(await isStateFolder(root)).toBe(true)
  expect(await isStateFolder(join(root, 'not-there-yet'))).toBe(true)
  expect(await isStateFolder(join(root, 'catalog.yaml'))).toBe(false)
  expect(await isStateFolder(join(root, 'document'))).toBe(false)
})
