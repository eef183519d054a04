import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { describe, expect, test } from 'vitest'
import { advisoryLocks } from '../src/database/advisory-locks.ts'
import { allowedImports } from './allowed-imports.ts'

const source = join(import.meta.dirname, '../src')
const packages = join(source, '../../packages')

type Import = { from: string; to: string }

const importsOf = (file: string) =>
  [...readFileSync(file, 'utf8').matchAll(/(?:from|import)\s*\(?'([^']+)'/g)].map(([, path = '']) => path)

const filesBelow = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))

/** Every import of one file of src by another, as paths below src. */
const imports: Import[] = filesBelow(source).flatMap((from) =>
  importsOf(join(source, from))
    .filter((path) => path.startsWith('.'))
    .map((path) => ({ from, to: relative(source, join(dirname(join(source, from)), path)) })),
)

/** The folder whose rules a file follows: a feature or channel, otherwise the first folder; '.' for the start-up files. */
function moduleOf(path: string): string {
  const [first = '', second = '', third] = path.split('/')
  if (first === 'features' || first === 'channels') return third === undefined ? first : `${first}/${second}`
  return second === '' ? '.' : first
}

/** Files that put the parts together and may import everything. */
const composes = (path: string) => ['.', 'features', 'channels'].includes(moduleOf(path))

const crossings = imports.filter(
  ({ from, to }) => !composes(from) && moduleOf(from) !== moduleOf(to) && !to.startsWith('..'),
)

describe('imports in server/src', () => {
  test('a folder imports only from the folders that it is allowed to', () => {
    const forbidden = crossings.filter(({ from, to }) => !allowedImports[moduleOf(from)]?.includes(moduleOf(to)))

    expect(crossings.length).toBeGreaterThan(1_000)
    expect(forbidden.map(({ from, to }) => `${from} → ${to}`)).toEqual([])
  })

  test('every allowance is needed', () => {
    const used = new Set(crossings.map(({ from, to }) => `${moduleOf(from)} → ${moduleOf(to)}`))
    const allowed = Object.entries(allowedImports).flatMap(([from, to]) => to.map((other) => `${from} → ${other}`))

    expect(allowed.filter((edge) => !used.has(edge))).toEqual([])
  })

  test('the allowed imports form no cycle', () => {
    const open = new Map(Object.entries(allowedImports))
    for (let closed = -1; closed !== 0; ) {
      const leaves = [...open].filter(([, others]) => !others.some((other) => open.has(other)))
      for (const [name] of leaves) open.delete(name)
      closed = leaves.length
    }

    expect([...open.keys()]).toEqual([])
  })

  test('of the operations of a feature, others import only schemas and problems', () => {
    const isOperation = (path: string) => /^features\/[^/]+\/api\//.test(path) && !/(schemas|problems)\.ts$/.test(path)

    expect(crossings.filter(({ to }) => isOperation(to))).toEqual([])
  })

  test('only start-up imports the jobs of a feature', () => {
    expect(crossings.filter(({ to }) => /^features\/[^/]+\/jobs\//.test(to))).toEqual([])
  })

  test('the platform names no table of a feature: it declares what it needs, and the feature that owns the table does it', () => {
    const migrations = join(source, '../migrations')
    const tables = readdirSync(migrations)
      // The tables of the installation itself, such as its keys, belong to the platform.
      .filter((file) => /^\d{4}_.*\.sql$/.test(file) && file !== '0001_installation.sql')
      .flatMap((file) => [...readFileSync(join(migrations, file), 'utf8').matchAll(/^create (?:table|view) (\w+)/gm)])
      .map(([, name]) => name)
      // Answers under an Idempotency-Key refer to the principal, but the pipeline owns them.
      .filter((name) => name !== 'idempotency_keys')
    const named = new RegExp(`(?:\\b(?:from|join|into|update)\\s+|\\w\\(')(${tables.join('|')})\\b`)
    const withoutComments = (text: string) => text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, '')
    const offences = filesBelow(join(source, 'platform')).filter((file) =>
      named.test(withoutComments(readFileSync(join(source, 'platform', file), 'utf8'))),
    )

    expect(tables.length).toBeGreaterThan(100)
    // The check whether the database answers reads asks for the table that most requests need.
    expect(offences).toEqual(['health/lane-checks.ts'])
  })

  test('every feature has a folder of tests', () => {
    const hasTests = (feature: string) => {
      const folder = join(source, '../test', feature)
      return existsSync(folder) && filesBelow(folder).some((file) => file.endsWith('.test.ts'))
    }
    const features = readdirSync(join(source, 'features'), { withFileTypes: true }).filter((one) => one.isDirectory())

    expect(features.length).toBeGreaterThan(30)
    expect(features.map(({ name }) => name).filter((feature) => !hasTests(feature))).toEqual([])
  })

  test('no table has texts of any kind as keys: a foreign text such as constructor would find what objects inherit', () => {
    const table = /: (?:Readonly<)?(?:Record<string, |\{ \[\w+: string\]: )[^=\n]*(?:=>[^=\n]*)*= \{(?!\s*\})/
    const files = [source, packages].flatMap((folder) => filesBelow(folder).map((file) => join(folder, file)))
    const openTables = files.filter((file) => !file.includes('/test/') && table.test(readFileSync(file, 'utf8')))

    // A Map finds only its own keys, and with `satisfies`, the compiler accepts no other text as a key.
    expect(table.test('const units: Record<string, (value: number) => string> = { a: 1 }')).toBe(true)
    expect(openTables).toEqual([])
  })

  test('no feature reaches the pool: the handle of an operation is its transaction', () => {
    const reachesPool = ({ from, to }: Import) =>
      to === 'database/open-database.ts' ||
      (to === 'database/connect.ts' &&
        !/import type \{[^}]*\} from '[./]*database\/connect\.ts'/.test(readFileSync(join(source, from), 'utf8')))

    expect(imports.filter(({ from }) => from.startsWith('features/')).filter(reachesPool)).toEqual([])
  })
})

test('no folder of server/src has more than 25 files at one level', () => {
  const sizes = Map.groupBy(filesBelow(source), (file) => dirname(file))
  const crowded = [...sizes].filter(([, files]) => files.length > 25).map(([folder, files]) => [folder, files.length])

  expect(crowded).toEqual([])
})

test('no two files of a feature have the same name, except those that every feature has', () => {
  const ofAll = ['index.ts', 'schemas.ts', 'problems.ts']
  const files = filesBelow(source).filter((file) => !composes(file) && !ofAll.includes(basename(file)))
  const named = Map.groupBy(files, (file) => `${moduleOf(file)}/${basename(file)}`)

  expect([...named.values()].filter((same) => same.length > 1)).toEqual([])
})

test('keys of advisory locks are written in one file, except that of the group trees, which SQL functions take', () => {
  const keys = (text: string) => (text.match(/\b5_?057_?0\d\d\b/g) ?? []).map((key) => Number(key.replaceAll('_', '')))
  const inCode = filesBelow(source)
    .filter((file) => file !== 'database/advisory-locks.ts')
    .filter((file) => keys(readFileSync(join(source, file), 'utf8')).length > 0)
  const migrations = join(source, '../migrations')
  const inSql = readdirSync(migrations, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.sql'))
    .flatMap((file) => keys(readFileSync(join(migrations, file), 'utf8')))

  expect(inCode).toEqual([])
  expect(new Set(inSql)).toEqual(new Set([advisoryLocks.groupTrees]))
  expect(new Set(Object.values(advisoryLocks)).size).toBe(Object.keys(advisoryLocks).length)
})

test('two views alone define which groups and memberships count', () => {
  const ownCondition = /kind\S* (<>|!=|in \()|'kind', '(<>|!=)'/
  const offences = filesBelow(source)
    // The lock order is a list of tables and conditions, which has no use for views.
    .filter((file) => file !== 'database/lock-order.ts')
    .flatMap((file) =>
      readFileSync(join(source, file), 'utf8')
        .split('\n')
        .flatMap((line) => (ownCondition.test(line) && line.includes("'Reinstall'") ? `${file}: ${line.trim()}` : [])),
    )
    .filter((line) => !line.includes('work}.kind'))
    // A trigger sees the changed row of the table itself.
    .filter((line) => !line.includes('`row.kind'))

  expect(offences).toEqual([])
})

test('nothing is kept in a session of the database beyond a transaction, because a pooler shares sessions', () => {
  const ofSession =
    /pg_(try_)?advisory_(lock|unlock)|\bset (session )?\w+_timeout|create temp|set_config\([^)]*, false\)/i
  const offences = filesBelow(source).filter((file) => ofSession.test(readFileSync(join(source, file), 'utf8')))

  expect(offences).toEqual([])
})
