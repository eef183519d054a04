import { expect, test } from 'vitest'
import { toAgentReport } from '../../../src/channels/fusion/messages/read-report.ts'
import { entriesOf, toText } from '../../../src/channels/fusion/normalisation/values.ts'

type Read = (name: string | symbol) => unknown

/** An object with every property that is looked for. */
function objectWith(target: object, read: Read): Record<string, unknown> {
  return new Proxy(target, { get: (_target, name) => read(name) }) as Record<string, unknown>
}

/** How often a value is read, if every section is a list of this length and every entry has every property. */
function countReads(length: number): number {
  let reads = 0
  const counted =
    (read: Read): Read =>
    (name) => {
      reads++
      return read(name)
    }
  const newSection = () => {
    const entries = Array.from({ length }, (_, at) =>
      objectWith(
        { name: '' },
        counted((name) => `${String(name)} ${at}`),
      ),
    )
    return new Proxy(entries, { get: (_target, name) => counted((key) => Reflect.get(entries, key))(name) })
  }
  const sections = new Map<string | symbol, unknown>()
  const content = objectWith({}, (name) => {
    if (!sections.has(name)) sections.set(name, newSection())
    return sections.get(name)
  })
  toAgentReport({ format: 'json', action: 'inventory', deviceId: 'x', isPartial: false, fields: {}, content })
  return reads
}

test('an inventory with twice as many entries in all its lists takes twice as long to read, not four times', () => {
  const [once, twice] = [countReads(100), countReads(200)]

  expect(once).toBeGreaterThan(100 * 10)
  expect(twice / once).toBeLessThan(2.2)
})

test('of a list that no computer has, only the beginning is read', () => {
  expect(entriesOf(Array.from({ length: 50_000 }, () => ({})))).toHaveLength(10_000)
  expect(toText(`${' '.repeat(500)}name${'x'.repeat(50_000_000)}`, 4)).toBe('name')
})
