import { expect, test } from 'vitest'
import { toCommandLine, toEnvironmentBlock } from '../../src/platform/windows/command-line.ts'

test.each([
  [['plain', 'a.msi'], 'plain a.msi'],
  [['C:\\Program Files\\x.exe', ''], '"C:\\Program Files\\x.exe" ""'],
  [['say "hello"'], '"say \\"hello\\""'],
  [['ends with a backslash\\'], '"ends with a backslash\\\\"'],
  [['a\\\\"b'], '"a\\\\\\\\\\"b"'],
  [['C:\\no\\spaces\\'], 'C:\\no\\spaces\\'],
])('the words %j become a line that Windows splits into the same words', (words, line) => {
  expect(toCommandLine(words)).toBe(line)
})

test('a process gets its variables sorted by name, and of two that differ in case the later one', () => {
  const block = toEnvironmentBlock({ b: '2', A: '1', Path: 'old', PATH: 'new', gone: undefined }).toString('utf16le')

  expect(block).toBe('A=1\0b=2\0PATH=new\0\0')
})
