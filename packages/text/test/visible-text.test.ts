import { expect, test } from 'vitest'
import { visibleJson, visibleLine, visibleText } from '../src/index.ts'

test.each([
  ['a reversed direction of writing', 'report\u202egnp.exe', 'report\\u202egnp.exe'],
  ['isolated directions', '\u2066a\u2069', '\\u2066a\\u2069'],
  ['a direction mark', 'a\u200fb', 'a\\u200fb'],
  ['a terminal sequence', '\u001b]0;title\u0007', '\\u001b]0;title\\u0007'],
  ['an 8-bit terminal sequence', '\u009b2J', '\\u009b2J'],
  ['a character without width', 'ad\u200bmin\ufeff', 'ad\\u200bmin\\ufeff'],
  ['a tag character', 'a\u{e0041}', 'a\\u{e0041}'],
  ['a NUL', 'a\0b', 'a\\u0000b'],
  ['a line separator', 'a\u2028b', 'a\\u2028b'],
  ['a return to the start of the line', 'safe\revil', 'safe\\u000devil'],
  ['half of a surrogate pair', 'a\ud800b', 'a\ufffdb'],
])('%s is shown as its escape', (_, text, shown) => {
  expect(visibleText(text)).toBe(shown)
})

test.each(['Müller & Söhne', 'שלום', 'مرحبا ١٢٣', 'می‌خواهم', '日本語', '👩‍💻', '❤️', 'two\nlines\tand a tab'])(
  '%s stays as it is',
  (text) => {
    expect(visibleText(text)).toBe(text)
  },
)

test('line breaks of Windows are line breaks', () => {
  expect(visibleText('a\r\nb')).toBe('a\nb')
})

test('a line has no breaks and tabs', () => {
  expect(visibleLine('a\n\nb\tc\r\nd')).toBe('a b c d')
})

test('JSON with deceptive characters means the same when it is shown', () => {
  const value = { name: 'gnp\u202e.exe', tag: 'a\u{e0041}b', control: '\u009b2J\u007f', text: 'Zoë\n' }

  const shown = visibleJson(JSON.stringify(value, null, 2))

  expect(JSON.parse(shown)).toEqual(value)
  expect(shown).not.toMatch(/[\u202e\u009b\u007f\u{e0041}]/u)
  expect(shown).toContain('gnp\\u202e.exe')
  expect(shown).toContain('Zoë')
})
