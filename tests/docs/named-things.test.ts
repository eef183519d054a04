import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { expect, test } from 'vitest'
import { usages } from '../../agent/src/usage.ts'
import { commands } from '../../cli/src/commands/index.ts'
import { machineChannels } from '../../server/src/channels/index.ts'
import { operations } from '../../server/src/features/index.ts'
import { allowedImports } from '../../server/test/allowed-imports.ts'

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

test('every file and folder of the repository that a command of a page names exists', () => {
  const inRepository =
    /(?:^|[\s(=])((?:agent|bench|cli|client|console|docs|examples|packages|server|simulator|tests|tools)\/[\w./-]*\w)/g
  const paths = mentions
    // Such a name has a part that stands for others.
    .filter(({ text }) => !text.includes('…') && text !== 'packages/content')
    .flatMap(({ page, text }) => [...text.matchAll(inRepository)].map(([, path = '']) => ({ page, text: path })))
    .filter(({ text }) => !elsewhere.test(text))

  expect(paths.length).toBeGreaterThan(200)
  expect(unknownOf(paths, (path) => existing.has(path))).toEqual([])
})

test('every selection of tests that a page names selects some', () => {
  const selected = mentions.flatMap(({ page, text }) =>
    [...text.matchAll(/(?:\bnpm test -- |\bvitest run )([\w./-]+)/g)].map(([, name = '']) => ({ page, text: name })),
  )

  expect(selected).not.toEqual([])
  expect(unknownOf(selected, (name) => files.some((file) => file.endsWith('.test.ts') && file.includes(name)))).toEqual(
    [],
  )
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

/** The first word after a command: `npm run keys -- rotate`, `muster-agent status`. */
const wordsAfter = (command: RegExp) =>
  mentions.flatMap(({ page, text }) =>
    [...text.matchAll(new RegExp(`${command.source} ([a-z][a-z-]+)`, 'g'))].map(([, first = '', second]) => ({
      page,
      text: second === undefined ? first : `${first} ${second}`,
    })),
  )

test('every command of the agent, of operators and of the build that a page names exists', () => {
  const ofAgent = wordsAfter(/\bmuster-agent/)
  const ofServer = wordsAfter(/\bmuster-server/)
  const ofScripts = wordsAfter(/\bnpm run (?:--silent |-s )?(admin|catalog|keys|package) --/)
  const sourceOf = (script = '') => readFileSync(join(root, /\S+\.ts$/.exec(scripts[script] ?? '')?.[0] ?? ''), 'utf8')
  /** In the help of the command, or as a name that it looks for. */
  const isKnown = (text: string) => {
    const [script, word] = text.split(' ')
    return new RegExp(`-- ${word}\\b|'${word}'|^ {2}${word}:`, 'm').test(sourceOf(script))
  }

  expect([ofAgent.length, ofServer.length, ofScripts.length].filter((count) => count < 5)).toEqual([])
  expect(unknownOf(ofAgent, (name) => Object.hasOwn(usages, name))).toEqual([])
  expect(unknownOf(ofServer, (name) => Object.hasOwn(scripts, name))).toEqual([])
  expect(unknownOf(ofScripts, isKnown)).toEqual([])
})

test('every setting that a page names exists', () => {
  const sources = files.filter((file) => /\.(tsx?|mjs|sh|ps1|service)$/.test(file))
  const known = new Set(
    sources.flatMap((file) => readFileSync(join(root, file), 'utf8').match(/(?<=\bMUSTER_|')[A-Z][A-Z0-9_]*\b/g) ?? []),
  )
  // What follows MUSTER_VAR_ and MUSTER_SECRET_ is the name of a variable of the reader.
  const named = mentions.flatMap(({ page, text }) =>
    [...text.matchAll(/\bMUSTER_(?!VAR_|SECRET_)([A-Z0-9_]*[A-Z0-9])\b/g)].map(([, name = '']) => ({
      page,
      text: name,
    })),
  )

  expect(named.length).toBeGreaterThan(200)
  expect(unknownOf(named, (name) => known.has(name))).toEqual([])
})

test('the architecture page lists every feature, below those that it uses', () => {
  const page = readFileSync(join(root, 'docs/architecture.md'), 'utf8')
  const [, block = ''] = /each line may use the lines above it:\n\n```\n(.*?)```/s.exec(page) ?? []
  const lines = block
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
  const lineOf = (feature: string) => lines.findIndex((line) => line.includes(feature))
  const uses = Object.entries(allowedImports).flatMap(([from, others]) =>
    others.flatMap((to) =>
      from.startsWith('features/') && to.startsWith('features/')
        ? { feature: from.slice('features/'.length), used: to.slice('features/'.length) }
        : [],
    ),
  )
  const features = new Set(files.flatMap((file) => /^server\/src\/features\/([\w-]+)\//.exec(file)?.[1] ?? []))

  expect(lines.flat().sort()).toEqual([...features].sort())
  expect(uses.filter(({ feature, used }) => lineOf(used) >= lineOf(feature))).toEqual([])
})

test('the layout of CONTRIBUTING.md lists every program, every package and every folder of the service', () => {
  const page = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8')
  const [, layout = ''] = /^## Layout\n\n```\n(.*?)```/ms.exec(page) ?? []
  const listed = layout.split('\n').map((line) => line.split(' ')[0] ?? '')
  const folders = [
    ...new Set(
      files.flatMap((file) => /^(?:packages\/[^/]+|server\/src\/[^/]+|[^./][^/]*)(?=\/)/.exec(file)?.[0] ?? []),
    ),
  ]

  expect(folders.length).toBeGreaterThan(25)
  expect(folders.filter((folder) => !listed.some((path) => path.startsWith(`${folder}/`)))).toEqual([])
})

test('the glossary defines no word twice', () => {
  const words = readFileSync(join(root, 'docs/glossary.md'), 'utf8')
    .split('\n')
    .flatMap((line) => /^\| (?!Word|Verb|-)(.+?) +\|/.exec(line)?.[1] ?? [])

  expect(words.length).toBeGreaterThan(100)
  expect(words.filter((word, at) => words.indexOf(word) !== at)).toEqual([])
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

test('every path of the API and of the channels that a page names, alone or in a command, is that of an operation', () => {
  const declared = [
    ...operations,
    ...machineChannels.flatMap(({ sections }) => sections).flatMap((section) => section.operations),
  ]
  const known = declared.map(({ route }) => shapeOf(route.replace(/^\w+ /, '')))
  const named = mentions.flatMap(({ page, text }) =>
    [...text.matchAll(/(?<![\w.-])\/(?:api|agent\/v1|depot\/v1)\/(?!thing\/)[^\s`"'),;|]*/g)].map(([path]) => ({
      page,
      text: path,
    })),
  )
  /** The beginning of several paths counts as well, and a part in angle brackets stands for any. */
  const isKnown = (text: string) => {
    const shape = new RegExp(`^${shapeOf(text).replaceAll('.', '\\.').replaceAll('*', '[^/]+')}(/|$)`)
    return known.some((path) => shape.test(path))
  }

  expect(named.length).toBeGreaterThan(200)
  expect(unknownOf(named, isKnown)).toEqual([])
})
