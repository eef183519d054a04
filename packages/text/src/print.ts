import { inspect } from 'node:util'
import { visibleText } from './visible-text.ts'

/** Prints a text. Names and messages of others in it cannot act on the terminal. */
export function print(text: string): void {
  console.log(visibleText(text))
}

/** The same, as an error. An error is printed with its stack. */
export function printError(error: unknown): void {
  console.error(visibleText(typeof error === 'string' ? error : inspect(error)))
}
