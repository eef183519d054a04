import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { layOutDocumentation } from '../../tools/package/service-documentation.ts'

const repository = join(import.meta.dirname, '../..')
const folder = await mkdtemp(join(tmpdir(), 'muster-documentation-'))
afterAll(() => rm(folder, { recursive: true }))
await layOutDocumentation(folder)

/** The files of this repository to which a page links with a relative address. */
const linksOf = (page: string) =>
  [...readFileSync(join(folder, page), 'utf8').matchAll(/\]\((?![a-z]+:|#)([^)#\s]+)/g)].map(([, target = '']) =>
    join(dirname(page), target),
  )

test('the package contains every guide and every example, readable for everybody', async () => {
  const names = (root: string, part: string) => readdir(join(root, part), { recursive: true })

  for (const part of ['docs/guides', 'docs/decisions', 'examples'])
    expect((await names(folder, part)).sort()).toEqual((await names(repository, part)).sort())
  for (const name of await readdir(folder, { recursive: true })) {
    const { mode } = await stat(join(folder, name))
    expect((mode & 0o004) !== 0, name).toBe(true)
  }
  expect((await stat(join(folder, 'examples/ansible/muster_inventory.py'))).mode & 0o111).toBe(0o111)
})

test('what the guides link to is in the package, except for sources', async () => {
  const guides = (await readdir(join(folder, 'docs/guides'))).map((name) => `docs/guides/${name}`)
  const missing = guides.flatMap(linksOf).filter((target) => !existsSync(join(folder, target)))

  const sources = ['tools/try-installation/README.md', 'simulator/scenarios']
  expect([...new Set(missing)].sort()).toEqual(sources.sort())
  for (const source of sources) expect(existsSync(join(repository, source))).toBe(true)
})
