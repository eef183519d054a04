import { stripVTControlCharacters } from 'node:util'

/** Texts come from computers: control characters in them must not reach the terminal. Line breaks stay. */
export function cleanText(text: string): string {
  return stripVTControlCharacters(text).replace(/[^\P{Cc}\n]+/gu, ' ')
}

/** The same in one line. */
export function cleanLine(text: string): string {
  return cleanText(text).replace(/\n+/g, ' ')
}
