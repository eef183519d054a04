import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readOptions } from '../src/options.ts'
import { readScenario, readScenarioFile, scenarioFields } from '../src/scenario.ts'
import type { Field } from '../src/scenario-fields.ts'

const folder = join(import.meta.dirname, '../scenarios')
const requiredArguments = ['--server', 'http://127.0.0.1:1', '--token', 'enrol-x']

test.for(readdirSync(folder))('the example scenario %s is valid', (name) => {
  const scenario = readScenario(readScenarioFile(join(folder, name)))

  expect(scenario.computers).toBeGreaterThan(0)
})

test.for([
  [{ computers: 0 }, 'computers must be a whole number from 1 to 1000000, not 0.'],
  [{ computers: '10' }, 'computers must be a whole number from 1 to 1000000, not "10".'],
  [{ work: { failureRate: 2 } }, 'work.failureRate must be a number from 0 to 1, not 2.'],
  [
    { work: { minimumSeconds: 9, maximumSeconds: 1 } },
    'work.minimumSeconds must not be greater than work.maximumSeconds.',
  ],
  [{ wrok: {} }, 'wrok is unknown. A scenario may contain seed, computers,'],
  [{ network: { lost: 1 } }, 'network.lost is unknown. network may contain lostRate.'],
  [{ bootStorms: [{ atSeconds: 1 }, { share: -1 }] }, 'bootStorms[1].share must be a number from 0 to 1, not -1.'],
  [{ bootStorms: {} }, 'bootStorms must be a list, not {}.'],
  [{ startDate: '2026-02-30' }, 'startDate must be a date such as "2026-03-02", not "2026-02-30".'],
  [{ platforms: { windows: 1 } }, 'The shares in platforms must add up to 1, not 1.22.'],
  [[], 'The scenario must be an object, not [].'],
] as const)('the error message for the scenario %j names the mistake and its path', ([scenario, message]) => {
  expect(() => readScenario(scenario)).toThrow(message)
})

test('the error message for a scenario lists all its mistakes', () => {
  expect(() => readScenario({ computers: -1, seed: 'x' })).toThrow(/seed must be[\s\S]*computers must be/)
})

test('a field that is set on the command line is validated like a field of the scenario file', () => {
  const options = readOptions([
    ...requiredArguments,
    '--set',
    'work.failureRate=0.5',
    '--computers',
    '7',
    '--interval',
    '30',
  ])

  expect(options?.scenario).toMatchObject({
    computers: 7,
    work: { failureRate: 0.5 },
    contact: { intervalSeconds: 30 },
  })
  expect(() => readOptions([...requiredArguments, '--set', 'work.failureRate=5'])).toThrow(
    'work.failureRate must be a number',
  )
  expect(() => readOptions([...requiredArguments, '--set', 'work.failureRate'])).toThrow('--set must be NAME=VALUE')
})

test('an unreadable or invalid scenario file gives an error message that names it', () => {
  expect(() => readScenarioFile('/nowhere.json')).toThrow('Cannot read the scenario /nowhere.json')
  expect(() => readScenarioFile(import.meta.filename)).toThrow('is not valid JSON')
})

test('the guide describes every field of a scenario with its default', () => {
  const guide = readFileSync(join(import.meta.dirname, '../../docs/guides/simulator.md'), 'utf8')
  const rows = (field: Field<unknown>, path: string): string[] =>
    Object.entries(field.inner ?? {}).flatMap(([name, inner]) => {
      const innerPath = path === '' ? name : `${path}.${name}`
      return inner.inner
        ? rows(inner, inner.about === '' ? innerPath : `${innerPath}[]`)
        : [formatRow(innerPath, inner)]
    })

  for (const row of rows(scenarioFields, '')) expect(guide.replaceAll(/ +/g, ' ')).toContain(row)
})

function formatRow(path: string, { fallback, about }: Field<unknown>): string {
  return `| \`${path}\` | \`${JSON.stringify(fallback)}\` | ${about} |`
}
