import { expect, test } from 'vitest'
import { compareDottedVersions, compareVersions } from '../src/versions.ts'

/** From the oldest to the newest. Versions in one list are equal. */
const ordered = [
  ['0.9'],
  ['1.0.2'],
  ['1.0.2y'],
  ['1.0.2z'],
  ['1.0.2za'],
  ['1.1.1-alpha.1'],
  ['1.1.1-beta9', '1.1.1~beta9', '1.1.1beta9', '1.1.1 beta9'],
  ['1.1.1-beta10'],
  ['1.1.1', '1.1.1 (64-bit)', '1.1.1+build.7', '01.1.1', '1.1.1.0'],
  ['1.1.1a'],
  ['1.1.1w'],
  ['1.1.9'],
  ['1.1.10'],
  ['1.8.0_99'],
  ['1.8.0_301'],
  ['3.0.16'],
  ['20240203123456789012345678901'],
  ['20240203123456789012345678902'],
]

test('versions are ordered by their numbers, then before a release, the release and its corrections', () => {
  const ranked = ordered.flatMap((equal, rank) => equal.map((version) => ({ version, rank })))
  for (const one of ranked)
    for (const other of ranked)
      expect([one.version, other.version, Math.sign(compareVersions(one.version, other.version))]).toEqual([
        one.version,
        other.version,
        Math.sign(one.rank - other.rank),
      ])
})

test('parts with letters have one order, whatever is compared first', () => {
  const parts = ['', '1x', '9', '10', '10a', 'rc9', 'rc10']

  const sorted = parts.toReversed().toSorted(compareDottedVersions)

  expect(sorted).toEqual(parts)
})
