import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { operations } from '../../server/src/features/index.ts'
import { isForPrincipals } from '../../server/src/platform/operation.ts'

const root = join(import.meta.dirname, '../..')

const read = (file: string) => readFileSync(join(root, file), 'utf8')

const consoleSources = readdirSync(join(root, 'console/src'), { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file))
  .map((file) => read(`console/src/${file}`))

/** What the pages request, as in `POST /api/tags/{id}`. */
const requested = new Set(
  consoleSources.flatMap((text) =>
    [...text.matchAll(/\bapi\.(POST|PUT|PATCH|DELETE)\(\s*'(\/api\/[^']+)'/g)].map(
      ([, method, path]) => `${method} ${path}`,
    ),
  ),
)

// The parts of a file are sent by the client, which the pages call.
if (consoleSources.some((text) => text.includes('@muster/client/upload')))
  for (const name of ['POST /api/package-uploads', 'PATCH /api/package-uploads/{id}']) requested.add(name)

const changes = operations
  .filter((operation) => isForPrincipals(operation))
  .filter(({ mutates, execution }) => mutates || execution.kind === 'Upload')
  .map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`)

/** The first column of the table: what the guide says that the console does not do. */
const excepted = [
  ...section('## What the console does not do').matchAll(/^\| `((?:POST|PUT|PATCH|DELETE) [^`]+)` +\| (.*?) +\|$/gm),
]

function section(heading: string): string {
  const [, text = ''] = read('docs/guides/console.md').split(`${heading}\n`)
  return text.split(/^## /m)[0] ?? ''
}

test('every operation that changes something is in the console, or the guide says why not', () => {
  const known = new Set(excepted.map(([, name]) => name))

  expect(requested.size).toBeGreaterThan(100)
  expect(changes.filter((name) => !requested.has(name) && !known.has(name)).sort()).toEqual([])
})

test('the guide excepts only operations that exist and that the console does not have, each once and with a reason', () => {
  const names = excepted.map(([, name = '']) => name)

  expect(names.filter((name) => requested.has(name) || !changes.includes(name))).toEqual([])
  expect(names).toEqual([...new Set(names)])
  expect(excepted.filter(([, , reason = '']) => reason.length < 10)).toEqual([])
})
