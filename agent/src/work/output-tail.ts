import { longest } from '../protocol.ts'
import { needlesOf, withoutNeedles } from './redact.ts'

export type OutputTail = ReturnType<typeof outputTail>

/** Keeps the end of what a command writes, and gives it without secrets. */
export function outputTail(secrets: readonly string[], limit: number = longest.output) {
  // latin1 has one character for each byte, so that a cut is at the same place in bytes and in text.
  const needles = needlesOf(secrets).map((needle) => Buffer.from(needle).toString('latin1'))
  // More than the limit is kept, so that a secret that lies across the cut is seen whole.
  const kept = limit + Math.max(0, ...needles.map(({ length }) => length))
  let pieces: Buffer[] = []
  let size = 0

  function whole(): Buffer {
    const tail = Buffer.concat(pieces).subarray(-kept)
    pieces = [tail]
    size = tail.length
    return tail
  }

  return {
    write(piece: Buffer): void {
      pieces.push(piece)
      size += piece.length
      if (size > 4 * kept) whole()
    },

    text(): string {
      const bytes = whole()
      const shown = withoutNeedles(bytes.toString('latin1'), needles, Math.max(0, bytes.length - limit))
      return Buffer.from(shown, 'latin1').toString('utf8').replaceAll('\0', '\uFFFD').slice(-limit).toWellFormed()
    },
  }
}
