import { hostileTexts } from '../hostile-values.ts'
import { type Random, randomUuid } from './random.ts'

const fragments: [string, ...string[]] = [
  ...(hostileTexts.filter((text) => text.length < 1000) as [string, ...string[]]),
  '" or "1"="1',
  "'||pg_sleep(0)||'",
  '$1',
  '*)(objectClass=*',
  '<script>alert(1)</script>',
  '=cmd|calc!A1',
  '$(touch /tmp/x)`id`;&|',
  '{{constructor.constructor("return 1")()}}',
  '%s%n%x',
  'a%_\\',
  '\u202e\u2066txt.exe',
  'e\u0301\u0301\u0301'.repeat(50),
  '👩‍👩‍👧‍👦'.repeat(20),
  'ß\u0130ı',
  '\ud83d',
  '\u0000\u0001\u001f\u007f\u0085\u2028',
  'NaN',
  '-Infinity',
  'true',
  'null',
  '0x10',
  '1e5',
  'toString',
  'hasOwnProperty',
  '::ffff:127.0.0.1',
  'https://127.0.0.1:1/',
  'file:///etc/passwd',
  'C:\\Windows\\..\\..',
  '(a+)+$',
]

const dates: [string, ...string[]] = [
  '0000-01-01T00:00:00Z',
  '0001-01-01T00:00:00Z',
  '9999-12-31T23:59:59.999Z',
  '9999-12-31T23:59:60Z',
  '+010000-01-01T00:00:00Z',
  '10000-01-01T00:00:00Z',
  '-000001-01-01T00:00:00Z',
  '2026-02-30T00:00:00Z',
  '2026-03-29T02:30:00+99:99',
  '2026-03-14T09:26:53.123456789012Z',
  '2026-03-14',
  '1970-01-01T00:00:00-23:59',
  '275760-09-13T00:00:00Z',
  'CRON=* * * * MON,MON;DURATION=60',
]

const numbers: [number, ...number[]] = [
  0,
  -0,
  -1,
  1,
  0.1,
  1e-9,
  5e-324,
  1e308,
  2 ** 31 - 1,
  2 ** 31,
  -(2 ** 31) - 1,
  2 ** 32,
  2 ** 53,
  2 ** 53 + 2,
  2 ** 63,
  -(2 ** 63),
  1e21,
  1e100,
]

/** Numbers that only their text can express: no serialiser writes them. */
export const rawNumbers: [string, ...string[]] = [
  '1e999',
  '-0.0',
  '9'.repeat(400),
  `0.${'1'.repeat(400)}`,
  '1E400',
  '1e-999',
]

const structures: [unknown, ...unknown[]] = [
  null,
  true,
  false,
  [],
  {},
  [[]],
  [null],
  [{}],
  { toString: 1 },
  { length: 3 },
  { constructor: { prototype: { isAdmin: true } } },
  { $ref: '#/' },
  [1, 'a', null, {}],
]

const lengths: [number, ...number[]] = [1, 50, 255, 256, 1000, 1001, 2048, 5_000]

export function hostileText(random: Random): string {
  if (random.chance(0.01)) return random.pick(['x', '\u{1f4a9}', '"', 'é']).repeat(65_536)
  if (random.chance(0.1)) return random.pick(['x', '\u{1f4a9}', '\u0301', ' ']).repeat(random.pick(lengths))
  if (random.chance(0.1)) return random.pick(dates)
  if (random.chance(0.1)) return randomUuid(random)
  return random.pick(fragments)
}

export function hostileValue(random: Random): unknown {
  const kind = random.next()
  if (kind < 0.5) return hostileText(random)
  if (kind < 0.75) return random.pick(numbers)
  if (kind < 0.93) return structuredClone(random.pick(structures))
  if (kind < 0.97) return Array.from({ length: random.integer(200) }, () => hostileText(random).slice(0, 100))
  return nested(2 + random.integer(60))
}

/** Deep enough for a recursive function to be expensive, but not deeper than a service may accept. */
function nested(depth: number): unknown {
  let value: unknown = 'deep'
  for (let level = 0; level < depth; level++) value = level % 2 === 0 ? [value] : { a: value }
  return value
}
