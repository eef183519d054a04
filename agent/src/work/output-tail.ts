import { maxLength } from '../protocol.ts'
import { redactNeedles, toNeedles } from './redact.ts'

const maxShownLines = 10
const maxShownLength = 2_000

/** An error text with the last lines of the output, for people who see only the error. */
export function addLastLines(errorText: string, output: string): string {
  const lines = output.split('\n').filter((line) => line.trim() !== '')
  const shown = lines.slice(-maxShownLines).join('\n').slice(-maxShownLength).toWellFormed()
  return shown === '' ? errorText : `${errorText} The end of its output:\n${shown}`
}

export type OutputTail = ReturnType<typeof outputTail>

/** Keeps the end of the output of a command and redacts secrets in it. */
export function outputTail(secrets: readonly string[], limit: number = maxLength.output) {
  // latin1 has one character per byte, so byte and character positions are the same.
  const needles = toNeedles(secrets).map((needle) => Buffer.from(needle).toString('latin1'))
  // More than the limit is kept, so a secret across the cut is still recognised as a whole.
  const kept = limit + Math.max(0, ...needles.map(({ length }) => length))
  let chunks: Buffer[] = []
  let size = 0

  function whole(): Buffer {
    const tail = Buffer.concat(chunks).subarray(-kept)
    chunks = [tail]
    size = tail.length
    return tail
  }

  return {
    write(chunk: Buffer): void {
      chunks.push(chunk)
      size += chunk.length
      if (size > 4 * kept) whole()
    },

    text(): string {
      const bytes = whole()
      const shown = redactNeedles(bytes.toString('latin1'), needles, Math.max(0, bytes.length - limit))
      return Buffer.from(shown, 'latin1').toString('utf8').replaceAll('\0', '\uFFFD').slice(-limit).toWellFormed()
    },
  }
}
