import type { Parameter } from './command.ts'
import { UsageError } from './errors.ts'

/** The word of a parameter with fixed words, regardless of case. Another one is refused, and the words are listed. */
export function chooseWord([syntax, , choices]: Parameter, word: string): string {
  if (choices === undefined || typeof choices === 'string') return word
  const found = choices.find((one) => one.toLowerCase() === word.toLowerCase())
  if (found !== undefined) return found
  const option = syntax.startsWith('-') ? `${syntax.split(' ')[0]}: ` : ''
  throw new UsageError(`${option}"${word}" is not one of ${choices.join(', ')}.`)
}
