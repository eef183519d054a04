import { isUtf8 } from 'node:buffer'

const lineFeed = 0x0a
/** In bytes. A line that is longer is passed on in parts. */
const maxLineLength = 65_536

/**
 * Programs of Windows write in the code page of consoles, and newer ones in UTF-8. Passes on UTF-8: lines that are no UTF-8 are
 * decoded. This happens before secrets are looked for in the output, which are in UTF-8 as well.
 */
export function toUtf8Lines(onOutput: (chunk: Buffer) => void, decode: (bytes: Buffer) => string) {
  let rest: Buffer = Buffer.alloc(0)
  const pass = (line: Buffer) => {
    if (line.length > 0) onOutput(isUtf8(line) ? line : Buffer.from(decode(line)))
  }
  return {
    write(chunk: Buffer): void {
      rest = Buffer.concat([rest, chunk])
      let start = 0
      for (let end = rest.indexOf(lineFeed); end !== -1; end = rest.indexOf(lineFeed, start)) {
        pass(rest.subarray(start, end + 1))
        start = end + 1
      }
      rest = rest.subarray(start)
      if (rest.length > maxLineLength) this.end()
    },
    end(): void {
      pass(rest)
      rest = Buffer.alloc(0)
    },
  }
}
