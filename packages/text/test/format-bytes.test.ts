import { expect, test } from 'vitest'
import { formatBytes } from '../src/format-bytes.ts'

test.each([
  [0, '0 bytes'],
  [999, '999 bytes'],
  [1_000, '1.0 kB'],
  [3_400_000, '3.4 MB'],
  [123_456_789, '123 MB'],
  [999_999, '1.0 MB'],
  [5e18, '5000 PB'],
])('%i bytes are shown as %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text)
})
