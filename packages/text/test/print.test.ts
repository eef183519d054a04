import { expect, onTestFinished, test, vi } from 'vitest'
import { print, printError } from '../src/print.ts'

const hostile = '\u001b]0;title\u0007\u202egnp.exe'
const shown = '\\u001b]0;title\\u0007\\u202egnp.exe'

function printed(name: 'log' | 'error') {
  const lines = vi.spyOn(console, name).mockReturnValue()
  onTestFinished(() => lines.mockRestore())
  return lines
}

test('a terminal shows the characters of a printed name, and does not obey them', () => {
  const lines = printed('log')

  print(`Computer ${hostile}\nis enrolled.`)

  expect(lines.mock.calls).toEqual([[`Computer ${shown}\nis enrolled.`]])
})

test('the message of a printed error has escapes, with and without its stack', () => {
  const lines = printed('error')

  printError(`Refused: ${hostile}`)
  printError(new Error(hostile, { cause: new Error(`of ${hostile}`) }))

  const [message, stack] = lines.mock.calls.flat().map(String)
  expect(message).toBe(`Refused: ${shown}`)
  expect(stack).toContain(`Error: ${shown}\n    at `)
  expect(stack).toContain(`Error: of ${shown}`)
})
