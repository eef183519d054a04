import { compareVersions } from '@muster/text'
import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { compareNewestFirst, meetsCondition } from '../../src/features/fleet/software/version-condition.ts'
import { toVersionKey } from '../../src/features/patches/components/version-keys.ts'
import { openWorld } from '../world/open-world.ts'

const { db } = await openWorld()

const version = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '~',
        '^',
        '.',
        '+',
        '-',
        '_',
        ':',
        ' ',
        '(',
        'a',
        'Z',
        'rc',
        'beta',
        'ä',
        '0',
        '1',
        '9',
        '10',
        '007',
      ),
      fc.nat().map(String),
    ),
    { minLength: 1, maxLength: 8 },
  )
  .map((parts) => parts.join(''))

test.each(['deb', 'rpm'] as const)(
  'the database sorts the keys of %s versions as the service compares them',
  async (type) => {
    const [versions = []] = fc.sample(fc.uniqueArray(version, { minLength: 400, maxLength: 600 }), 1)
    const keyed = versions.map((text) => ({ text, key: toVersionKey(type, text) ?? '' }))

    const { rows } = await sql<{ at: number }>`
    select at::integer from unnest(${keyed.map(({ key }) => key)}::text[]) with ordinality as keyed (key, at)
    order by key collate "C", at`.execute(db)

    const sorted = rows.map(({ at }) => keyed[at - 1]?.text ?? '')
    expect(sorted).toHaveLength(versions.length)
    for (const [at, text] of sorted.entries())
      if (at > 0) expect(compareNewestFirst(sorted[at - 1] ?? '', text, type)).toBeGreaterThanOrEqual(0)
  },
)

test('versions of numbers have one order: a version is never before and after another', () => {
  fc.assert(
    fc.property(version, version, version, (a, b, c) => {
      expect(Math.sign(compareVersions(a, b))).toBe(-Math.sign(compareVersions(b, a)) || 0)
      if (compareVersions(a, b) <= 0 && compareVersions(b, c) <= 0) expect(compareVersions(a, c)).toBeLessThanOrEqual(0)
    }),
    { numRuns: 5_000 },
  )
})

test('a version is below a bound, or at least the bound, and never both', () => {
  fc.assert(
    fc.property(version, version, fc.constantFrom('deb', 'rpm', 'numbers'), (installed, bound, order) => {
      const below = meetsCondition(installed, order, { below: bound })
      const atLeast = meetsCondition(installed, order, { atLeast: bound })
      expect(atLeast).toBe(below === undefined ? undefined : !below)
    }),
    { numRuns: 5_000 },
  )
})

test.each([
  ['1.1.1w', '1.1.1', false],
  ['1.1.1w', '1.1.1x', true],
  ['3.0.16 (64-bit)', '3.0.16', false],
  ['1.8.0_301', '1.8.0', false],
  ['1.8.0_99', '1.8.0_301', true],
  ['3.0.16-beta1', '3.0.16', true],
] as const)('%s is below %s on Windows: %s', (installed, bound, expected) => {
  expect(meetsCondition(installed, 'numbers', { below: bound })).toBe(expected)
})
