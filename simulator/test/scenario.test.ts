import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readOptions } from '../src/options.ts'
import { readScenario, readScenarioFile, scenarioFields } from '../src/scenario.ts'
import type { Field } from '../src/scenario-fields.ts'

const folder = join(import.meta.dirname, '../scenarios')
const needed = ['--server', 'http://127.0.0.1:1', '--token', 'enrol-x']

test.for(readdirSync(folder))('the example %s is in order', (name) => {
  const scenario = readScenario(readScenarioFile(join(folder, name)))

  expect(scenario.computers).toBeGreaterThan(0)
})

test.for([
  [{ computers: 0 }, 'computers must be a whole number from 1 to 1000000, not 0.'],
  [{ computers: '10' }, 'computers must be a whole number from 1 to 1000000, not "10".'],
  [{ work: { failureRate: 2 } }, 'work.failureRate must be a number from 0 to 1, not 2.'],
  [{ work: { minimumSeconds: 9, maximumSeconds: 1 } }, 'work.minimumSeconds is more than work.maximumSeconds.'],
  [{ wrok: {} }, 'wrok is not known. A scenario may have seed, computers,'],
  [{ network: { lost: 1 } }, 'network.lost is not known. network may have lostRate.'],
  [{ bootStorms: [{ atSeconds: 1 }, { share: -1 }] }, 'bootStorms[1].share must be a number from 0 to 1, not -1.'],
  [{ bootStorms: {} }, 'bootStorms must be a list, not {}.'],
  [{ startDate: '2026-02-30' }, 'startDate must be a day such as "2026-03-02", not "2026-02-30".'],
  [{ platforms: { windows: 1 } }, 'platforms must be 1 together, not 1.22.'],
  [[], 'It must be an object, not [].'],
] as const)('the fault in %j is told with its place', ([said, sentence]) => {
  expect(() => readScenario(said)).toThrow(sentence)
})

test('all faults of a scenario are told at once', () => {
  expect(() => readScenario({ computers: -1, seed: 'x' })).toThrow(/seed must be[\s\S]*computers must be/)
})

test('a field of the scenario is set on the command line, and checked like one of the file', () => {
  const options = readOptions([...needed, '--set', 'work.failureRate=0.5', '--computers', '7', '--interval', '30'])

  expect(options?.scenario).toMatchObject({
    computers: 7,
    work: { failureRate: 0.5 },
    contact: { intervalSeconds: 30 },
  })
  expect(() => readOptions([...needed, '--set', 'work.failureRate=5'])).toThrow('work.failureRate must be a number')
  expect(() => readOptions([...needed, '--set', 'work.failureRate'])).toThrow('--set must be NAME=VALUE')
})

test('files that cannot be read are told as such', () => {
  expect(() => readScenarioFile('/nowhere.json')).toThrow('The scenario /nowhere.json cannot be read')
  expect(() => readScenarioFile(import.meta.filename)).toThrow('is no JSON')
})

test('the guide explains every field with its default', () => {
  const guide = readFileSync(join(import.meta.dirname, '../../docs/guides/simulator.md'), 'utf8')
  const rows = (field: Field<unknown>, path: string): string[] =>
    Object.entries(field.inner ?? {}).flatMap(([name, inner]) => {
      const place = path === '' ? name : `${path}.${name}`
      return inner.inner ? rows(inner, inner.about === '' ? place : `${place}[]`) : [rowOf(place, inner)]
    })

  for (const row of rows(scenarioFields, '')) expect(guide.replaceAll(/ +/g, ' ')).toContain(row)
})

function rowOf(place: string, { fallback, about }: Field<unknown>): string {
  return `| \`${place}\` | \`${JSON.stringify(fallback)}\` | ${about} |`
}
