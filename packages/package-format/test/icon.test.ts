import { expect, test } from 'vitest'
import { findIconFault } from '../src/icon.ts'

/** The beginning of a PNG image. */
function png(width: number, height: number, size = 100): Buffer {
  const content = Buffer.alloc(size)
  content.write('89504e470d0a1a0a0000000d49484452', 'hex')
  content.writeUInt32BE(width, 16)
  content.writeUInt32BE(height, 20)
  return content
}

test('a small PNG image can be an icon', () => {
  expect(findIconFault(png(512, 512))).toBeUndefined()
})

test.each([
  [
    'an SVG image, which could contain scripts',
    Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
    'is not a PNG image',
  ],
  ['nothing', Buffer.alloc(0), 'is not a PNG image'],
  ['an image that is too wide', png(513, 1), 'has more than 512 pixels in a row'],
  ['an image that is too high', png(1, 2 ** 31), 'has more than 512 pixels in a row'],
  ['a file that is too large', png(1, 1, 100 * 1024 + 1), 'has more than 100 KiB'],
])('%s cannot be an icon', (_, content, fault) => {
  expect(findIconFault(content)).toBe(fault)
})
