import type { InstallerScript } from './facts.ts'

const maxTextLength = 1_000

/** A text of a file as it can be stored and shown: one line without control characters, of a limited length. */
export function toLine(text: string, maxLength = maxTextLength): string {
  return text
    .slice(0, 4 * maxLength)
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
    .slice(0, maxLength)
    .toWellFormed()
    .trim()
}

/** The same, or undefined if nothing remains. */
export function toLineOrNothing(text: string | undefined, maxLength?: number): string | undefined {
  return (text !== undefined && toLine(text, maxLength)) || undefined
}

/** Several lines, such as a description. */
export function toLines(text: string, maxLength = 10_000): string {
  return text
    .slice(0, maxLength)
    .split(/\r\n|[\n\r]/)
    .map((line) => toLine(line, maxLength))
    .join('\n')
    .trim()
    .toWellFormed()
}

const maxScriptLength = 16_000

/** The beginning of a script as it is, for people to read. Without bytes, nothing of it can be shown. */
export function toScript(name: string, bytes: Buffer | undefined): InstallerScript {
  const text = (bytes?.toString('utf8') ?? '').replace(/\r\n?/g, '\n')
  return {
    name,
    text: text.slice(0, maxScriptLength).toWellFormed(),
    isComplete: bytes !== undefined && text.length <= maxScriptLength,
  }
}
