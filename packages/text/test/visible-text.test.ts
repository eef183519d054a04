import { expect, test } from 'vitest'
import { visibleJson, visibleLine, visibleLines, visibleText } from '../src/index.ts'

test.each([
  ['a reversed direction of writing', 'report\u202egnp.exe', 'report\\u202egnp.exe'],
  ['isolated directions', '\u2066a\u2069', '\\u2066a\\u2069'],
  ['a direction mark', 'a\u200fb', 'a\\u200fb'],
  ['a terminal sequence', '\u001b]0;title\u0007', '\\u001b]0;title\\u0007'],
  ['an 8-bit terminal sequence', '\u009b2J', '\\u009b2J'],
  ['a character without width', 'ad\u200bmin\ufeff', 'ad\\u200bmin\\ufeff'],
  ['a tag character', 'a\u{e0041}', 'a\\u{e0041}'],
  ['a blank of Braille', 'a\u2800b', 'a\\u2800b'],
  ['a filler of Hangul', 'a\u3164b', 'a\\u3164b'],
  ['a grapheme joiner', 'a\u034fb', 'a\\u034fb'],
  ['a joiner between Latin letters', 'ad\u200dm\u200cin', 'ad\\u200dm\\u200cin'],
  ['a second joiner', '👩\u200d\u200d💻', '👩\u200d\\u200d💻'],
  ['a choice of emoji after a digit', 'pc-1\ufe0f', 'pc-1\\ufe0f'],
  ['a variant of a Latin letter', 'a\ufe00\u{e0100}', 'a\\ufe00\\u{e0100}'],
  ['a NUL', 'a\0b', 'a\\u0000b'],
  ['a line separator', 'a\u2028b', 'a\\u2028b'],
  ['a return to the start of the line', 'safe\revil', 'safe\\u000devil'],
  ['half of a surrogate pair', 'a\ud800b', 'a\ufffdb'],
])('%s is shown as its escape', (_, text, shown) => {
  expect(visibleText(text)).toBe(shown)
})

test.each([
  'Müller & Söhne',
  'שלום',
  'مرحبا ١٢٣',
  'می‌خواهم',
  '日本語',
  '👩‍💻',
  '❤️',
  '1\ufe0f\u20e3',
  '🏳️\u200d🌈',
  '葛\u{e0100}',
  'ᠠ\u180b',
  'क्\u200dष',
  'two\nlines\tand a tab',
])('%s stays as it is', (text) => {
  expect(visibleText(text)).toBe(text)
})

test('line breaks of Windows are line breaks', () => {
  expect(visibleText('a\r\nb')).toBe('a\nb')
})

test('a line has no breaks and tabs', () => {
  expect(visibleLine('a\n\nb\tc\r\nd')).toBe('a b c d')
})

test('a line of a message cannot look like another', () => {
  expect(visibleLines(['Failed:', '  pc-1\n  pc-2'])).toBe('Failed:\n  pc-1   pc-2')
  expect(visibleLines('one\ntwo')).toBe('one two')
})

test('JSON with deceptive characters means the same when it is shown', () => {
  const value = { name: 'gnp\u202e.exe', tag: 'a\u{e0041}b', control: '\u009b2J\u007f', text: 'Zoë\n' }

  const shown = visibleJson(JSON.stringify(value, null, 2))

  expect(JSON.parse(shown)).toEqual(value)
  expect(shown).not.toMatch(/[\u202e\u009b\u007f\u{e0041}]/u)
  expect(shown).toContain('gnp\\u202e.exe')
  expect(shown).toContain('Zoë')
})
