import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { expect, test } from 'vitest'

const source = join(import.meta.dirname, '../src')

type Import = { from: string; to: string }

const importsOf = (file: string) =>
  [...readFileSync(file, 'utf8').matchAll(/(?:from|import)\s*\(?'([^']+)'/g)].map(([, path = '']) => path)

/** Every import of one file of src by another, as paths below src. */
const imports: Import[] = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .flatMap((from) =>
    importsOf(join(source, from))
      .filter((path) => path.startsWith('.'))
      .map((path) => ({ from, to: relative(source, join(dirname(join(source, from)), path)) })),
  )

const within = (folder: string) => (path: string) => path.startsWith(`${folder}/`)
const offences = (isFrom: (path: string) => boolean, isForbidden: (path: string, from: string) => boolean) =>
  imports.filter(({ from, to }) => isFrom(from) && isForbidden(to, from)).map(({ from, to }) => `${from} → ${to}`)

const areaOf = (path: string) => path.split('/')[1]

test('the look at imports sees them', () => {
  expect(imports.length).toBeGreaterThan(100)
})

/** From one room into another: a file, and what it imports of the other. */
const allowedCrossings = new Set([
  // Only types, of which there is one description.
  'simulator/src/protocol.ts → agent/src/protocol-types.ts',
  // The demo writes what lies in the past.
  'simulator/demo/database.ts → server/src/database/open-beside-service.ts',
  'simulator/demo/database.ts → server/src/platform/configuration.ts',
  'server/test/world/demo-fleet.ts → simulator/demo/api.ts',
  'server/test/world/demo-fleet.ts → simulator/demo/data-set.ts',
  'server/bench/simulated-computers.ts → simulator/src/report.ts',
  'server/bench/inventories.ts → simulator/src/machines/inventory.ts',
  'server/bench/inventories.ts → simulator/src/machines/machine.ts',
  'server/bench/inventories.ts → simulator/src/scenario.ts',
])

test('agent, server and simulator share no code', () => {
  const root = join(source, '../..')
  const crossing = ['agent', 'server', 'simulator'].flatMap((room) =>
    readdirSync(join(root, room), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.includes('node_modules'))
      .flatMap((file) => importsOf(join(root, room, file)).map((path) => ({ file: join(room, file), path })))
      .map(({ file, path }) => ({ file, to: path.startsWith('.') ? join(dirname(file), path) : path }))
      .filter(({ to }) => /^(agent|server|simulator|@muster)\//.test(to) && !to.startsWith(`${room}/`))
      .map(({ file, to }) => `${file} → ${to}`),
  )

  expect(new Set(crossing)).toEqual(allowedCrossings)
})

test('the agent needs nothing but Node', () => {
  const agent = join(source, '../../agent/src')
  const files = readdirSync(agent, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))
  const foreign = files.flatMap((file) => importsOf(join(agent, file))).filter((path) => !/^(\.|node:)/.test(path))

  expect(foreign).toEqual([])
})

test('the platform knows no area, no domain, no job and no page', () => {
  expect(offences(within('platform'), (to) => /^(areas|domain|jobs|agents|pages)\//.test(to))).toEqual([])
})

test('the database folder knows no area, no domain, no job and no page', () => {
  expect(offences(within('database'), (to) => /^(areas|domain|jobs|agents|pages)\//.test(to))).toEqual([])
})

test('the domain knows no area and no page', () => {
  expect(offences(within('domain'), (to) => /^(areas|pages)\//.test(to))).toEqual([])
})

test('an area knows nothing of the pages, and the pages know only its schemas and problems', () => {
  expect(offences(within('areas'), within('pages'))).toEqual([])
  expect(offences(within('pages'), (to) => within('areas')(to) && !/\/(schemas|problems)\.ts$/.test(to))).toEqual([])
})

test('an area takes from another only its schemas and problems', () => {
  const allowed = /^areas\/[^/]+\/(schemas|problems)\.ts$/
  const foreign = (to: string, from: string) => within('areas')(to) && areaOf(from) !== areaOf(to) && !allowed.test(to)

  expect(offences((from) => within('areas')(from) && from !== 'areas/index.ts', foreign)).toEqual([])
})

test('only the whole API and tests import the index of an area', () => {
  expect(
    offences(
      (from) => from !== 'areas/index.ts',
      (to) => /^areas\/[^/]+\/index\.ts$/.test(to),
    ),
  ).toEqual([])
})

test('no operation reaches the pool: its one handle is the transaction', () => {
  const reachesPool = (to: string, from: string) =>
    to === 'database/open.ts' ||
    (to === 'database/connect.ts' &&
      !/import type \{[^}]*\} from '[./]*database\/connect\.ts'/.test(readFileSync(join(source, from), 'utf8')))

  expect(offences((from) => within('areas')(from) || within('domain')(from), reachesPool)).toEqual([])
})
