import { expect, test } from 'vitest'
import { toUtf8Lines } from '../../src/platform/windows/output-text.ts'

/** Some letters of code page 850, in which the consoles of a German Windows write. */
const letters: Record<number, string> = { 129: 'ü', 132: 'ä', 148: 'ö', 225: 'ß' }
const decode = (bytes: Buffer) => [...bytes].map((byte) => letters[byte] ?? String.fromCharCode(byte)).join('')

function textOf(...chunks: (string | number[])[]): string {
  const passed: Buffer[] = []
  const lines = toUtf8Lines((chunk) => passed.push(chunk), decode)
  for (const chunk of chunks) lines.write(Buffer.from(chunk as string))
  lines.end()
  return Buffer.concat(passed).toString()
}

test('what a program writes in the code page of consoles arrives in UTF-8', () => {
  expect(textOf([0x47, 0x72, 0x94, 0xe1, 0x65, 0x0d, 0x0a])).toBe('Größe\r\n')
})

test('what a program writes in UTF-8 stays as it is, also beside lines of another one', () => {
  expect(textOf('Größe\n', [0x47, 0x72, 0x94, 0xe1, 0x65, 0x0a], 'äöü')).toBe('Größe\nGröße\näöü')
})

test('a character of UTF-8 that arrives in two parts is not mistaken for another code page', () => {
  const [first, second] = Buffer.from('ß')
  expect(textOf('Grö', [first ?? 0], [second ?? 0], 'e\n')).toBe('Größe\n')
})

test('a line without an end is passed on at the latest when it is very long', () => {
  const passed: Buffer[] = []
  const lines = toUtf8Lines((chunk) => passed.push(chunk), decode)

  lines.write(Buffer.alloc(70_000, 'x'))

  expect(Buffer.concat(passed)).toHaveLength(70_000)
})
