import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { findProgram, toCommandLine, toEnvironmentBlock } from '../../src/platform/windows/command-line.ts'

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

test('a program is the one of the package, otherwise one of PATH, and never a batch file', async () => {
  const root = await mkdtemp(join(tmpdir(), 'muster-programs-'))
  onTestFinished(() => rm(root, { recursive: true }))
  const [own, shared] = [join(root, 'package'), join(root, 'shared')]
  for (const folder of [own, shared]) await mkdir(folder)
  for (const file of [join(own, 'setup.exe'), join(shared, 'setup.exe'), join(shared, 'tool.com'), join(own, 'a.cmd')])
    await writeFile(file, '')
  const find = (name: string) => findProgram(name, own, { Path: `;${join(root, 'none')};${shared}` })

  expect(find('setup')).toBe(join(own, 'setup.exe'))
  expect(find('tool')).toBe(join(shared, 'tool.com'))
  expect(() => find('./tool')).toThrow('there is no program ./tool')
  expect(() => find('a.cmd')).toThrow('a.cmd is a batch file, which runs only as a line for the shell')
  expect(() => find('a')).toThrow('there is no program a')
})
