import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findJsonExcess } from '../src/json-limits.ts'

const bytesOf = (text: string) => Buffer.from(text)

/** The levels and values of what the parser returns. */
function measure(value: unknown): { depth: number; values: number } {
  if (typeof value !== 'object' || value === null) return { depth: 0, values: 0 }
  const children = Object.values(value).map(measure)
  return {
    depth: 1 + Math.max(0, ...children.map(({ depth }) => depth)),
    values: 1 + Math.max(0, children.length - 1) + children.reduce((sum, { values }) => sum + values, 0),
  }
}

test('depth and number of values are those of the parsed document, whatever its texts contain', () => {
  const hostile = fc.string({ unit: fc.constantFrom('[', '{', ']', '}', '"', '\\', ',', 'ü', '漢', '\u{1f600}', 'u') })
  const { document } = fc.letrec((tie) => ({
    document: fc.oneof(
      { depthSize: 'large' },
      fc.constantFrom(1, null, true),
      hostile,
      fc.array(tie('document'), { maxLength: 4 }),
      fc.dictionary(hostile, tie('document'), { maxKeys: 4 }),
    ),
  }))

  fc.assert(
    fc.property(document, fc.constantFrom(undefined, 2), (value, indent) => {
      const text = JSON.stringify(value, null, indent)
      // A shorter text cannot exceed the depth; spaces keep the measure from stopping there.
      const json = bytesOf(text + ' '.repeat(1_000))
      const { depth, values } = measure(JSON.parse(text))

      expect(findJsonExcess(json, { maxDepth: depth, maxValues: values })).toBeUndefined()
      if (depth > 0)
        expect(findJsonExcess(json, { maxDepth: depth - 1 })).toBe(`is nested deeper than ${depth - 1} levels`)
      if (values > 0)
        expect(findJsonExcess(json, { maxDepth: depth, maxValues: values - 1 })).toBe(
          `has more than ${values - 1} values`,
        )
    }),
  )
})

test.each(['', '"', '"\\', '[', ']', '{"a', ']]]', '{"a":"\\"', '\u0000'.repeat(200)])(
  'text that is not JSON is measured to its end: %j',
  (text) => {
    expect(findJsonExcess(bytesOf(text.padEnd(200)), { maxDepth: 100 })).toBeUndefined()
  },
)
