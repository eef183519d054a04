import { expect, test } from 'vitest'
import { canonicalHash } from '../../src/inventory/canonical-hash.ts'
import { collectSections } from '../../src/inventory/collect.ts'
import { collectWithSources } from '../../src/inventory/collect-with-sources.ts'
import { cleanText } from '../../src/platform/common/texts.ts'
import { recordTools } from '../../src/platform/linux/inventory/recorded-access.ts'
import { linuxSections } from '../../src/platform/linux/inventory/sections.ts'
import { accessTo } from '../../src/platform/linux/inventory/system-access.ts'
import { computer } from './fixture.ts'

const sectionsWithoutTools = [
  ...['system', 'bios', 'computerSystem', 'disks', 'networkAdapters', 'batteries', 'printers', 'videoControllers'],
  ...['monitors', 'processors', 'security'],
]

test('the sections that every Linux has are collected on this computer without a failure', async () => {
  const failures: unknown[] = []

  const sections = await collectSections(linuxSections(), (section, error) => failures.push(section, error))

  expect(failures).toEqual([])
  expect(Object.keys(sections)).toEqual(expect.arrayContaining(sectionsWithoutTools))
  for (const { hash } of Object.values(sections)) expect(hash).toMatch(/^[\da-f]{64}$/)
  expect(sections.system?.body).toMatchObject({
    item: {
      platform: 'Linux',
      osBuild: expect.any(String),
      memoryMb: expect.any(Number),
      processorCount: expect.any(Number),
    },
  })
})

test('a computer on which nothing can be read still has the sections that need no tool', async () => {
  const failures: unknown[] = []

  const sections = await collectSections(linuxSections(await computer({})), (section, error) =>
    failures.push(section, error),
  )

  expect(failures).toEqual([])
  expect(Object.keys(sections).toSorted()).toEqual(sectionsWithoutTools.toSorted())
})

test('a failing section is logged and omitted, and the others are collected', async () => {
  const system = await computer({})
  const broken = {
    ...system,
    addresses: () => {
      throw new Error('broken')
    },
  }
  const failures: string[] = []

  const sections = await collectSections(linuxSections(broken), (section) => failures.push(section))

  expect(failures).toEqual(['system'])
  expect(sections).toHaveProperty('bios')
})

test('the hash depends on every value but not on the order of properties', () => {
  expect(canonicalHash({ a: 1, b: [{ c: 2, d: null }] })).toBe(canonicalHash({ b: [{ d: null, c: 2 }], a: 1 }))
  expect(canonicalHash({ a: [1, 2] })).not.toBe(canonicalHash({ a: [2, 1] }))
  expect(canonicalHash({ a: null })).not.toBe(canonicalHash({}))
})

test('texts are truncated at whole characters and contain nothing that cannot be stored', () => {
  expect(cleanText('💾'.repeat(300), 10)).toBe('💾'.repeat(10))
  expect(cleanText(' a\0b\ud800 ')).toBe('ab\ufffd')
  expect(cleanText('  ')).toBeNull()
})

test('a missing tool has no output, and a failing one has what it printed', async () => {
  const system = accessTo()

  expect(await system.output('no-such-tool-of-muster')).toBeUndefined()
  expect(await system.output('sh', '-c', 'echo cleanText; exit 3')).toBe('cleanText\n')
})

test('a self-test has what each tool has answered, and why a section is missing', async () => {
  const system = await computer({ tools: { who: 'jdoe  tty1\n' } })
  const broken = {
    ...system,
    names: (path: string) => (path.includes('power_supply') ? Promise.reject(new Error('broken')) : system.names(path)),
  }

  const { answers, outcomes } = await collectWithSources({
    inventory: (record = () => {}) => linuxSections(recordTools(broken, record)),
  })

  expect(answers).toContainEqual({
    source: 'who',
    asked: 'who',
    answer: '1 line',
    state: 'ok',
    milliseconds: expect.any(Number),
  })
  expect(answers).toContainEqual(expect.objectContaining({ asked: 'hostname -f', state: 'unknown' }))
  const outcomeOf = (name: string) => outcomes.find((outcome) => outcome.name === name)
  expect(outcomeOf('batteries')).toMatchObject({ section: undefined, error: 'broken' })
  expect(outcomeOf('services')).toMatchObject({ section: undefined, error: null })
  expect(outcomeOf('bios')?.section?.body).toHaveProperty('item')
})
