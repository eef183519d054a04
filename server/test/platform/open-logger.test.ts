import { Writable } from 'node:stream'
import { expect, test } from 'vitest'
import { openLogger } from '../../src/platform/open-logger.ts'

test('a line of the log has the exact text of others, in characters that a terminal does not obey', () => {
  const lines: string[] = []
  const name = 'gnp\u202e.exe\n{"level":60}\u009b2J\u{e0041}'

  const logger = openLogger('info', new Writable({ write: (chunk, _, done) => done(void lines.push(String(chunk))) }))
  logger.child({ computer: name }).warn(`Lost ${name}`)

  expect(lines.length).toBe(1)
  expect(JSON.parse(lines.join(''))).toMatchObject({ level: 40, computer: name, msg: `Lost ${name}` })
  expect(lines.join('').trimEnd()).not.toMatch(/[\p{Cc}\p{Cf}]/u)
})
