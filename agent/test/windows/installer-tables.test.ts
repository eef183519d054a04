import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildMsi } from '../../../tools/package/windows-msi.ts'
import { findReasonAgainstToolsOfWine } from './wine.ts'

const run = promisify(execFile)
const reason = findReasonAgainstToolsOfWine()
if (reason) console.warn(`The tables of the MSI file are not tested: ${reason}.`)

type Properties = Record<string, string>
type Action = { name: string; type: number; target: string; condition: string; sequence: number }

/** Whether a condition of the MSI file is met. It knows what those of the agent use, and nothing else. */
function isMet(condition: string, properties: Properties): boolean {
  const tokens = condition.match(/"[^"]*"|[\w.]+|~?<<|[=()]/g) ?? []
  let at = 0
  const read = (token = '') => (token.startsWith('"') ? token.slice(1, -1) : (properties[token] ?? ''))
  const term = (): boolean => {
    const token = tokens[at++]
    if (token === 'NOT') return !term()
    if (token === '(') {
      const inner = either()
      at++
      return inner
    }
    if (tokens[at] !== '=') return read(token) !== ''
    at++
    return read(token) === read(tokens[at++])
  }
  const both = (): boolean => {
    let result = term()
    while (tokens[at] === 'AND' && ++at) result = term() && result
    return result
  }
  const either = (): boolean => {
    let result = both()
    while (tokens[at] === 'OR' && ++at) result = both() || result
    return result
  }
  const result = either()
  if (at !== tokens.length) throw new Error(`The test does not understand the condition ${condition}.`)
  return result
}

/** What users can set at a repair: every public property, but not whether the product is installed. */
const planted = { SERVER: 'https://planted', TOKEN: 'enrol-x', CA: 'C:\\x', TRUSTKEY: 'RW', OLDERVERSION: '{1}' }
const situations: Record<string, Properties> = {
  repair: { Installed: '1', REINSTALL: 'ALL', REINSTALLMODE: 'amus', ...planted },
  'change without an effect': { Installed: '1', ...planted },
  'repair of one feature': { Installed: '1', REINSTALL: 'Complete', ADDLOCAL: 'Complete', ...planted },
}

const deferred = 0x400
const asSystem = 0x800

describe.skipIf(reason)('the tables of the MSI file', { timeout: 60_000 }, () => {
  let folder = ''
  let actions: Action[] = []

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'muster-msi-test-'))
    const [executable, nativeModule] = [join(folder, 'muster-agent.exe'), join(folder, 'koffi.node')]
    for (const path of [executable, nativeModule]) await writeFile(path, 'content')
    const file = join(folder, 'agent.msi')
    await buildMsi(file, { executable, nativeModule, version: '1.2.3', builtAt: new Date(0) })
    const rows = async (table: string) =>
      (await run('msiinfo', ['export', file, table])).stdout
        .split(/\r?\n/)
        .slice(3)
        .filter(Boolean)
        .map((line) => line.split('\t'))
    const steps = new Map((await rows('InstallExecuteSequence')).map(([name = '', ...rest]) => [name, rest]))
    actions = (await rows('CustomAction')).map(([name = '', type, , target = '']) => {
      const [condition = '', sequence] = steps.get(name) ?? []
      return { name, type: Number(type), target, condition, sequence: Number(sequence) }
    })
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  const runningAt = (properties: Properties) =>
    actions.filter(({ condition }) => isMet(condition, properties)).map(({ name }) => name)

  test.each(Object.entries(situations))('no program of the agent runs as SYSTEM at a %s', (_, properties) => {
    expect(actions.length).toBeGreaterThanOrEqual(4)
    for (const { name, type, condition } of actions) {
      expect([name, type & (deferred | asSystem)]).toEqual([name, deferred | asSystem])
      expect([name, condition]).not.toEqual([name, ''])
    }
    expect(runningAt(properties)).toEqual([])
  })

  test('programs run when they are meant to', () => {
    const upgrade = { Installed: '1', REMOVE: 'ALL', UPGRADINGPRODUCTCODE: '{2}' }
    expect(runningAt({}).sort()).toEqual(['UseInstalledVersion'])
    expect(runningAt({ SERVER: 'https://muster.example.org' }).sort()).toEqual(['Configure', 'UseInstalledVersion'])
    expect(runningAt({ Installed: '1', REMOVE: 'ALL' }).sort()).toEqual(['RemoveState', 'WaitForEnd'])
    expect(runningAt(upgrade)).toEqual(['WaitForEnd'])
  })

  test('only the first installation passes properties to a program', () => {
    const passing = actions.filter(({ target }) => target.includes('['))

    expect(passing.map(({ name }) => name)).toEqual(['Configure'])
    for (const { condition } of passing)
      expect(isMet(condition, { Installed: '1', REMOVE: 'ALL', ...planted })).toBe(false)
  })
})
