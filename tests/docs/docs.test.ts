import { readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { generatedFiles } from '../../tools/generate/generated-files.ts'

const root = join(import.meta.dirname, '../..')
const read = (path: string) => readFile(join(root, path), 'utf8')

test('what is generated matches the declarations', async () => {
  const generated = Object.entries(await generatedFiles())
  const outdated = await Promise.all(
    generated.map(async ([path, content]) => ((await read(path)) === content ? [] : [`${path}: run npm run generate`])),
  )

  expect(generated.length).toBeGreaterThan(10)
  expect(outdated.flat()).toEqual([])
})

test('the configuration guide documents every setting and nothing else', async () => {
  const sources = await Promise.all(
    ['configuration', 'configuration-limits', 'configuration-sources'].map((name) =>
      read(`server/src/platform/${name}.ts`),
    ),
  )
  const guide = await read('docs/guides/configuration.md')

  const settings = [...sources.join().matchAll(/(?:text|oneOf|isOn|integer|list|hosts|limit)\('([A-Z_]+)'/g)].map(
    ([, name]) => `MUSTER_${name}`,
  )
  const documented = [...guide.matchAll(/^\| `(MUSTER_[A-Z_]+)`/gm)].map(([, name]) => name)

  expect(documented.sort()).toEqual([...new Set(settings)].sort())
})

test('every link between the pages has a target', async () => {
  const pages = (await readdir(root, { recursive: true, encoding: 'utf8' })).filter(
    (file) => file.endsWith('.md') && !file.includes('node_modules'),
  )

  for (const page of pages)
    for (const [, link = ''] of (await read(page)).matchAll(/\]\((?!https?:|#|mailto:)([^)#]+)/g))
      await expect(readFileOrFolder(join(root, dirname(page), link)), `${page}: ${link}`).resolves.toBeDefined()
})

async function readFileOrFolder(path: string): Promise<unknown> {
  return readFile(path).catch(() => readdir(path))
}

test('the architecture page names existing files, and each file once per flow', async () => {
  const page = await read('docs/architecture.md')
  const filesOf = (text: string) => [...text.matchAll(/`(server\/[\w./-]+\.ts)`/g)].map(([, file = '']) => file)
  const flows = page.split(/^## /m).filter((section) => section.startsWith('Flow '))

  expect(flows).toHaveLength(3)
  for (const flow of flows) expect(filesOf(flow)).toEqual([...new Set(filesOf(flow))])
  for (const file of filesOf(page)) await expect(read(file), file).resolves.toBeDefined()
})
