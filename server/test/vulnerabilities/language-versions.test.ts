import { compare as comparePython, valid as isPython } from '@renovatebot/pep440'
import fc from 'fast-check'
import semver from 'semver'
import { describe, expect, test } from 'vitest'
import {
  type Language,
  normaliseName,
  toComparedKey,
} from '../../src/features/vulnerabilities/documents/compared-versions.ts'
import { compareTexts, type VersionOrder } from '../patches/version-order.ts'

const byKey =
  (type: Language): VersionOrder =>
  (one, other) =>
    Math.sign(compareTexts(toComparedKey(type, one) ?? '', toComparedKey(type, other) ?? ''))

/** From the oldest to the newest. Versions in one list are equal. */
const npmVersions = [
  ['0.0.1'],
  ['1.0.0-0'],
  ['1.0.0-2'],
  ['1.0.0-10'],
  ['1.0.0-alpha'],
  ['1.0.0-alpha.1'],
  ['1.0.0-alpha.beta'],
  ['1.0.0-beta.2'],
  ['1.0.0-beta.11'],
  ['1.0.0-rc.1'],
  ['1.0.0', 'v1.0.0', '1.0.0+build.5'],
  ['1.0.1'],
  ['1.9.0'],
  ['1.10.0'],
  ['20.0.0'],
]

const pythonVersions = [
  ['1.0.dev456', '1.0-dev456'],
  ['1.0a1.dev1'],
  ['1.0a1', '1.0.alpha1', '1a1'],
  ['1.0a2.dev456'],
  ['1.0a12'],
  ['1.0b2', '1.0-beta-2'],
  ['1.0b2.post345.dev456'],
  ['1.0b2.post345'],
  ['1.0rc1', '1.0c1', '1.0.pre1'],
  ['1.0', '1', '1.0.0', 'v1.0'],
  ['1.0+abc.5'],
  ['1.0+abc.7', '1.0+ABC-7'],
  ['1.0+5'],
  ['1.0.post456.dev34'],
  ['1.0.post456', '1.0-456', '1.0.rev456'],
  ['1.0.15'],
  ['1.1.dev1'],
  ['1.10'],
  ['2024.2.2'],
  ['1!0.1'],
]

const npmParts = ['0', '1', '2', '10', '.', '-', 'alpha', 'b', '+', 'x']
const pythonParts = ['0', '1', '10', '.', 'a', 'b1', 'rc', '.post', '.dev', '-', '+', 'local', '!', '7']

/** The library takes a local segment such as `0b1` for the number 0. By PEP 440, only digits alone are a number. */
const isMisread = (text: string) => /\+.*\d[a-z]/.test(text)

describe.each([
  [
    'npm',
    npmVersions,
    npmParts,
    (text: string) => semver.valid(text),
    (one: string, other: string) => semver.compare(one, other),
  ],
  ['pypi', pythonVersions, pythonParts, isPython, comparePython],
] as const)('%s', (type, ordered, parts, validate, compare) => {
  test('the keys of versions sort as the package manager orders the versions', () => {
    const inOrder = ordered.flatMap((equal, rank) => equal.map((version) => ({ version, rank })))
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

  test('the keys of any two versions sort as the library of the language compares them', () => {
    const version = fc
      .array(fc.constantFrom(...parts), { minLength: 0, maxLength: 6 })
      .map((some) => `1.${type === 'npm' ? '0.2' : '0'}${some.join('')}`)
      .filter((text) => Boolean(validate(text)) && !isMisread(text))
    fc.assert(
      fc.property(version, version, (one, other) => {
        expect(byKey(type)(one, other)).toBe(Math.sign(compare(one, other)))
      }),
      { numRuns: 3_000 },
    )
  })

  test('what is no version has no key', () => {
    for (const text of ['', 'latest', '1.x', '^1.0.0', '1.0.0 ', `1.0.${'1'.repeat(255)}`])
      expect([text, toComparedKey(type, text.trimEnd() === text ? text : '')]).toEqual([text, undefined])
  })
})

test('names of Python packages count in any spelling', () => {
  expect(['Foo.Bar_baz', 'foo--bar-BAZ'].map((name) => normaliseName('pypi', name))).toEqual([
    'foo-bar-baz',
    'foo-bar-baz',
  ])
  expect(normaliseName('npm', '@Babel/core_x')).toBe('@babel/core_x')
})
