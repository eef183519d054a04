import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { expect, test } from 'vitest'
import { commands } from '../../cli/src/commands/index.ts'
import { operations } from '../../server/src/features/index.ts'

const root = join(import.meta.dirname, '../..')
const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter(Boolean)
const existing = new Set(files.flatMap(withFolders))
const fileNames = new Set(files.map((file) => posix.basename(file)))

/** A file and all folders above it. */
function withFolders(file: string): string[] {
  const parts = file.split('/')
  return parts.map((_, at) => parts.slice(0, at + 1).join('/'))
}

type Mention = { page: string; text: string }

// The change log names what existed at its time.
const pages = files.filter((file) => file.endsWith('.md') && file !== 'CHANGELOG.md')

/** What the pages set in code style: in a line, or as a line of a block. */
const mentions: Mention[] = pages.flatMap((page) => {
  const text = readFileSync(join(root, page), 'utf8')
  const blocks = [...text.matchAll(/^```\w*\n(.*?)^```/gms)].flatMap(([, block = '']) => block.split('\n'))
  const inLines = [...text.replaceAll(/^```.*?^```/gms, '').matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code)
  return [...inLines, ...blocks].map((one) => ({ page, text: one }))
})

const unknownOf = (found: Mention[], isKnown: (text: string) => boolean) =>
  found.filter(({ text }) => !isKnown(text)).map(({ page, text }) => `${page}: ${text}`)

/** Where paths begin that leave out their first folders: `platform/pipeline` is in `server/src`. */
const starts = [
  '',
  'server/',
  'server/src/',
  'server/src/features/',
  'agent/src/',
  'agent/',
  'cli/src/',
  'console/src/',
]

/** What a build, a run or another machine makes, and the example of CONTRIBUTING.md. */
const elsewhere =
  /^(?:\.\/|@muster\/|artifacts\/|(?:console|server)\/dist\b|server\/(?:src\/features|test)\/things\/|secrets\/|journal\/|base-images\b|tools\/package\/container\/base-images$|server\/migrations\/NNNN_)/

test('every file and folder that a page names exists', () => {
  const paths = mentions.filter(({ text }) => /^[\w.@-]+(?:\/[\w.@-]+)+\/?$/.test(text) && !elsewhere.test(text))
  const names = mentions.filter(({ text }) => /^[\w-][\w.-]*\.(?:tsx?|sql|mjs|sh)$/.test(text))
  const isPath = (text: string) => starts.some((start) => existing.has(start + text.replace(/\/$/, '')))

  expect(paths.length).toBeGreaterThan(100)
  expect(unknownOf(paths, isPath)).toEqual([])
  expect(unknownOf(names, (text) => fileNames.has(text))).toEqual([])
})

// Read as text, because the command runs when it is imported.
const benchmarkNames = [...readFileSync(join(root, 'bench/main.ts'), 'utf8').matchAll(/^ {2}(\w+): \{/gm)].map(
  ([, name = '']) => name,
)

const scripts = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).scripts as Record<string, string>

test('every npm command and every benchmark that a page names exists', () => {
  const runs = mentions.flatMap(({ page, text }) =>
    [...text.matchAll(/\bnpm run (?:--silent |-s )?([\w:-]+)/g)].map(([, name = '']) => ({ page, text: name })),
  )
  const benchmarks = mentions.flatMap(({ page, text }) =>
    [...text.matchAll(/\bbench -- ((?:[a-z]+ ?)+)/g)].flatMap(([, names = '']) =>
      names
        .trim()
        .split(' ')
        .map((name) => ({ page, text: name })),
    ),
  )

  expect(runs.length).toBeGreaterThan(30)
  expect(benchmarks.length).toBeGreaterThan(10)
  expect(unknownOf(runs, (name) => Object.hasOwn(scripts, name))).toEqual([])
  expect(unknownOf(benchmarks, (name) => benchmarkNames.includes(name))).toEqual([])
})

test('every command of `muster` that a page names exists', () => {
  const known = new Set(commands.flatMap(({ name }) => [name, name.split(' ')[0]]))
  const named = mentions.flatMap(({ page, text }) =>
    [...text.matchAll(/(?:^|[$|;&(] ?)muster ([a-z][\w-]*(?: [a-z][\w-]*)?)/g)].map(([, name = '']) => ({
      page,
      text: name,
    })),
  )
  // `muster computer pc-1` and `muster approvals list`: the first word, or both.
  const isKnown = (name: string) => known.has(name) || known.has(name.split(' ')[0] ?? '')

  expect(named.length).toBeGreaterThan(50)
  expect(unknownOf(named, isKnown)).toEqual([])
})

/** A path without the names of its parameters, its query and its values. */
const shapeOf = (path: string) =>
  path
    .replace(/[?#].*$/, '')
    .replace(/\/$/, '')
    .replaceAll(/\/(?::\w+|\{\w+\}|\$\w+|\$\{\w+\}|<\w+>|\d+|…)/g, '/*')

test('every operation that a page names with its method exists', () => {
  const known = new Set(operations.map(({ route }) => shapeOf(route)))
  const named = mentions.filter(({ text }) => /^(?:GET|POST|PUT|PATCH|DELETE) \/api\/(?!thing\/)\S+$/.test(text))

  expect(named.length).toBeGreaterThan(50)
  expect(unknownOf(named, (text) => known.has(shapeOf(text)))).toEqual([])
})
