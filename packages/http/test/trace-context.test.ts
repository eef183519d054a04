import { expect, test } from 'vitest'
import { formatTraceparent, parseTraceparent } from '../src/trace-context.ts'

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const spanId = '00f067aa0ba902b7'

test.each([
  ['a sampled trace', `00-${traceId}-${spanId}-01`, true],
  ['a trace that its caller does not record', `00-${traceId}-${spanId}-00`, false],
  ['flags of later versions', `00-${traceId}-${spanId}-fd`, true],
  ['a later version with more at its end', `01-${traceId}-${spanId}-01-more`, true],
])('%s is read', (_, text, isSampled) => {
  expect(parseTraceparent(text)).toEqual({ traceId, spanId, isSampled })
})

test.each([
  ['nothing', undefined],
  ['several headers', [`00-${traceId}-${spanId}-01`]],
  ['several values', `00-${traceId}-${spanId}-01, 00-${traceId}-${spanId}-01`],
  ['a trace id of zeros', `00-${'0'.repeat(32)}-${spanId}-01`],
  ['a span id of zeros', `00-${traceId}-${'0'.repeat(16)}-01`],
  ['capital letters', `00-${traceId.toUpperCase()}-${spanId}-01`],
  ['the forbidden version', `ff-${traceId}-${spanId}-01`],
  ['more at the end of the first version', `00-${traceId}-${spanId}-01-more`],
  ['a trace id that is too short', `00-${traceId.slice(1)}-${spanId}-01`],
  ['a line break', `00-${traceId}-${spanId}-01\n`],
  ['a very long text', `01-${traceId}-${spanId}-01-${'a'.repeat(10_000)}`],
])('%s is not a trace', (_, text) => {
  expect(parseTraceparent(text)).toBeUndefined()
})

test('what is formatted is read again', () => {
  const text = `00-${traceId}-${spanId}-01`

  expect(formatTraceparent({ traceId, spanId, isSampled: true })).toBe(text)
  expect(parseTraceparent(text)).toEqual({ traceId, spanId, isSampled: true })
})
