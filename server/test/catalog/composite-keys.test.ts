import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { caselessKey, compositeKey } from '@muster/text'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { PackageReference } from '../../src/features/catalog/api/desired-state/document-schemas.ts'
import { ofGroup } from '../../src/features/catalog/desired-state/group-entries.ts'
import { formatPackageLabel } from '../../src/features/catalog/desired-state/package-label.ts'
import { patchKey } from '../../src/features/catalog/desired-state/sections/patches.ts'

/** Texts made of the separators in keys and labels: ambiguous parts are likely. */
const part = fc
  .array(
    fc.constantFrom('firefox', '2', ' ', ' ', 'revision', 'for', '"', ',', ', ', '\\', '/', ' ← ', '[', ']', ':', '\n'),
    {
      maxLength: 6,
    },
  )
  .map((words) => words.join(''))

const isSame = (a: readonly unknown[], b: readonly unknown[]) =>
  JSON.stringify(a).toLowerCase() === JSON.stringify(b).toLowerCase()

test.each<[string, (a: string, b: string) => string]>([
  ['compositeKey', compositeKey],
  ['caselessKey', caselessKey],
  ['ofGroup', ofGroup],
  ['patchKey', (patch, product) => patchKey({ patch, product })],
])('two different pairs never have the same key: %s', (_, keyOf) => {
  fc.assert(
    fc.property(part, part, part, part, (a, b, c, d) => {
      expect(keyOf(a, b) === keyOf(c, d)).toBe(isSame([a, b], [c, d]))
    }),
    {
      numRuns: 500,
      examples: [
        ['a ← b', 'c', 'a', 'b ← c'],
        ['a for b', 'c', 'a', 'b for c'],
      ],
    },
  )
})

const reference: fc.Arbitrary<PackageReference> = fc.record(
  { name: part, version: part, revision: part, operatingSystems: fc.array(part, { maxLength: 2 }) },
  { requiredKeys: ['name', 'version'] },
)

test('two different packages never have the same label', () => {
  fc.assert(
    fc.property(reference, reference, (a, b) => {
      const partsOf = ({ name, version, revision, operatingSystems }: PackageReference) => [
        ...[name, version, revision || null, operatingSystems ?? null],
      ]
      const areEqual = formatPackageLabel(a).toLowerCase() === formatPackageLabel(b).toLowerCase()
      expect(areEqual).toBe(isSame(partsOf(a), partsOf(b)))
    }),
    {
      numRuns: 1_000,
      examples: [
        [pack('firefox 128.0', 'revision 2'), pack('firefox', '128.0', '2')],
        [pack('firefox 128.0 revision', '2'), pack('firefox', '128.0', '2')],
        [pack('firefox', '128.0', '2 for Linux'), pack('firefox', '128.0', '2', ['Linux'])],
        [pack('firefox', '1', undefined, ['a, b']), pack('firefox', '1', undefined, ['a', 'b'])],
      ],
    },
  )
})

function pack(name: string, version: string, revision?: string, operatingSystems?: string[]): PackageReference {
  return { name, version, ...(revision !== undefined && { revision }), ...(operatingSystems && { operatingSystems }) }
}

test.each([
  [pack('Mozilla Firefox', '128.0'), 'Mozilla Firefox 128.0'],
  [pack('vpn', '5.2', '2', ['Ubuntu 24.04', 'Linux']), 'vpn 5.2 revision 2 for Ubuntu 24.04, Linux'],
  [pack('firefox 128.0', 'revision 2'), 'firefox 128.0 "revision 2"'],
])('%j is shown as people write it: %s', (named, label) => {
  expect(formatPackageLabel(named)).toBe(label)
})

/** Texts joined to keys of a map or set. Each is of parts that cannot contain the separator, or is stored like that. */
const allowed = new Map([
  ['server/src/features/patches/catalog/assign-keys.ts', 'a stored key; the namespace of a publisher has no blanks'],
  ['server/src/features/patches/catalog/read-csaf.ts', 'a stored key; the namespace of a publisher has no blanks'],
  ['server/src/features/patches/components/component-keys.ts', 'a stored key; names of components have no slash'],
  ['server/src/features/patches/components/platforms.ts', 'the parts were split at the colon; ids are ours'],
  ['server/src/features/patches/components/version-keys.ts', 'a stored key that is compared by its order'],
  ['server/src/features/vulnerabilities/documents/compared-versions.ts', 'a stored key, as in version-keys.ts'],
  ['server/src/platform/pipeline/idempotency.ts', 'the id of a principal is a number'],
  ['server/src/platform/keys/protect-keys.ts', 'purposes are ours'],
  ['server/src/features/blast-radius/request-approval.ts', 'ids of operations are ours, those of computers numbers'],
  ['server/src/platform/http/dead-peers.ts', 'an address has no blanks, and a port is a number'],
  ['server/src/platform/http/json-body.ts', 'the place of a mistake, for a message'],
  ['client/src/rate-limits.ts', 'methods and paths of requests have no blanks'],
  [
    'agent/src/platform/linux/patches/apt-scan.ts',
    'the key of a patch in the protocol; dpkg allows no blanks in names',
  ],
  [
    'agent/src/platform/linux/patches/rpm-patches.ts',
    'the key of a patch in the protocol; rpm allows no blanks in names',
  ],
])

const root = join(import.meta.dirname, '../../..')
/** A template of two values that is assigned to something named a key, or is looked up. */
const joined = [
  /[kK]ey(?:Of)?\b[^\n`;]*?(?:=>?|:) *(?:\w+\()?`[^`\n]*\$\{[^`\n]*\}[^`\n]*\$\{/,
  /\.(?:get|has|add|set|delete|deriveKey)\(`[^`\n]*\$\{[^`\n]*\}[^`\n]*\$\{/,
]

test('no key of a map is joined of texts with a separator', () => {
  const offences = ['server', 'cli', 'agent', 'client'].flatMap((program) =>
    readdirSync(join(root, program, 'src'), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.ts$/.test(file))
      .map((file) => `${program}/src/${file}`)
      .filter(
        (file) => !allowed.has(file) && joined.some((pattern) => pattern.test(readFileSync(join(root, file), 'utf8'))),
      ),
  )
  expect(offences).toEqual([])
})
