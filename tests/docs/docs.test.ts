import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { generatedFiles } from '../../tools/generate/generated-files.ts'

const root = join(import.meta.dirname, '../..')

/** What puts the places together, answers for them, or only measures. */
const waitsNowhere = [
  'server/src/app.ts',
  'server/src/features/package-uploads/propose-package.ts',
  ...['activity', 'bounded-thread', 'database-load', 'networks', 'pace'].map(
    (name) => `server/src/platform/load/${name}.ts`,
  ),
]
const read = (path: string) => readFile(join(root, path), 'utf8')
const list = (...patterns: string[]) =>
  execFileSync('git', ['ls-files', '-co', '--exclude-standard', '--deduplicate', ...patterns], {
    cwd: root,
    encoding: 'utf8',
  })
    .split('\n')
    .filter((file) => file !== '' && existsSync(join(root, file)))

const generatedByPath = await generatedFiles()

test('what is generated matches the declarations', async () => {
  const generated = Object.entries(generatedByPath)
  const outdated = await Promise.all(
    generated.map(async ([path, content]) => ((await read(path)) === content ? [] : [`${path}: run npm run generate`])),
  )

  expect(generated.length).toBeGreaterThan(10)
  expect(outdated.flat()).toEqual([])
})

test('of what is generated, only SQL and pages that reviewers read are stored', async () => {
  expect(list(...Object.keys(generatedByPath))).toEqual([
    'docs/reference/operations.md',
    'docs/reference/problems.md',
    'docs/reference/roles.md',
    'server/migrations/repeatable/effective_variable.sql',
    'server/migrations/repeatable/event_triggers.sql',
    'server/migrations/repeatable/required_packages.sql',
  ])
})

test('the page about waiting names every place at which requests wait for others of their kind', async () => {
  const page = await read('docs/architecture/waiting.md')
  const isPlace = async (file: string) =>
    file.startsWith('server/src/platform/load/') ||
    /import \{[^}]*\b(?:openPlaces|NoPlaceFree)\b[^}]*\} from '[^']*load\/places\.ts'/.test(await read(file))
  const sources = list('server/src/*.ts')
  const arePlaces = await Promise.all(sources.map(isPlace))
  const places = sources.filter((_, at) => arePlaces[at])

  expect(places.length).toBeGreaterThan(15)
  expect(places.filter((file) => !page.includes(`\`${file}\``) && !waitsNowhere.includes(file))).toEqual([])
})

test('the configuration guide documents every setting and nothing else', async () => {
  const sources = await Promise.all(
    ['configuration', 'configuration-limits', 'configuration-sources', 'tls/tls-settings', 'tracing/otlp-settings'].map(
      (name) => read(`server/src/platform/${name}.ts`),
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
  const pages = list('*.md')

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
