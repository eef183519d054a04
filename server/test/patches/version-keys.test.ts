import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type ComponentType, toVersionKey } from '../../src/features/patches/components/version-keys.ts'
import { compareDebian, compareRpm, compareTexts, type VersionOrder } from './version-order.ts'

const byKey =
  (type: ComponentType): VersionOrder =>
  (one, other) =>
    Math.sign(compareTexts(toVersionKey(type, one) ?? '', toVersionKey(type, other) ?? ''))

/** From the oldest to the newest. Versions in one list are equal. */
const debianVersions = [
  ['1.0~~'],
  ['1.0~rc1-1'],
  ['1.0~rc2'],
  ['1.0', '1.0-0', '01.00', '0:1.0'],
  ['1.0-1~deb12u1'],
  ['1.0-1', '1.0-01'],
  ['1.0-1ubuntu0.22.04.1', '1.0-1ubuntu0.22.4.1'],
  ['1.0-1+b1'],
  ['1.0-1+deb12u1'],
  ['1.0-2'],
  ['1.0a-1', '1.0a0-1'],
  ['1.0+dfsg-1'],
  ['1.0-1-1'],
  ['1.0.1-1'],
  ['1.9-1'],
  ['1.10-1'],
  ['20240203-1'],
  ['1:0.1-1'],
  ['2:0~rc1'],
]

const rpmVersions = [
  ['1.0~rc1-1.el9'],
  ['1.0^20240101-0'],
  ['1.0^20240102-0'],
  ['1.0a-1'],
  ['1.0.1~beta-1'],
  ['1.0.1-1.el9', '1.0.1-1_el9', '0:1.0.01-1.el9'],
  ['1.0.1-1.el9.1'],
  ['1.0.1-1.el9_2'],
  ['1.0.1-2.el9'],
  ['1.9-1'],
  ['1.10-1'],
  ['20240203-1'],
  ['1:0.1-1'],
]

describe.each([
  ['deb', debianVersions, compareDebian],
  ['rpm', rpmVersions, compareRpm],
] as const)('%s', (type, ordered, compare) => {
  const inOrder = ordered.flatMap((equal, rank) => equal.map((version) => ({ version, rank })))

  test('the keys of versions sort as the package manager orders the versions', () => {
    for (const one of inOrder)
      for (const other of inOrder) {
        const expected = Math.sign(one.rank - other.rank)
        expect([one.version, other.version, byKey(type)(one.version, other.version)]).toEqual([
          one.version,
          other.version,
          expected,
        ])
        expect(Math.sign(compare(one.version, other.version))).toBe(expected)
      }
  })

  test('the keys of any two versions sort by the rules of the package manager', () => {
    const version = fc
      .array(fc.constantFrom('~', '^', '.', '+', '-', '_', ':', 'a', 'b', 'Z', '0', '1', '9', '10', '007'), {
        minLength: 1,
        maxLength: 10,
      })
      .map((parts) => parts.join(''))
    fc.assert(
      fc.property(version, version, (one, other) => {
        expect(byKey(type)(one, other)).toBe(Math.sign(compare(one, other)))
      }),
      { numRuns: 5_000 },
    )
  })
})

test('a version that is empty or too long has no key', () => {
  expect([toVersionKey('deb', ''), toVersionKey('rpm', '1'.repeat(256)), toVersionKey('deb', '1\0')]).toEqual([
    undefined,
    undefined,
    undefined,
  ])
})
