import { open } from 'node:fs/promises'

const maxBytes = 4 * 1024 * 1024
const linesBefore = 15
const maxLines = 30

/** The action that failed. The words differ between languages; the numbers, 3 and under Wine 0, do not. */
const endedAction = (value: number) => new RegExp(`\\d+:\\d\\d:\\d\\d: \\w+\\. .*\\b${value}\\.$`)
/** Such as 'Product: Greeting -- Error 1722. There is a problem', and what a custom action has returned. */
const errorLine = / -- .*\b\d{4,5}\. |returned actual error code/
const propertyLine = /^Property\([A-Z]\): /

/** The lines of a log of msiexec that show why it failed, of a file that may be large and may not exist. */
export async function readMsiFailure(path: string): Promise<string[]> {
  return findMsiFailure(await readEnd(path).catch(() => ''))
}

export function findMsiFailure(log: string): string[] {
  const lines = log.split(/\r?\n/).filter((line) => line.trim() !== '' && !propertyLine.test(line))
  const failed = [3, 0].map((value) => lines.findIndex((line) => endedAction(value).test(line.trim())))
  const at = failed.find((index) => index >= 0)
  if (at === undefined) return lines.slice(-linesBefore)
  const before = lines.slice(Math.max(0, at - linesBefore), at + 1).filter((line) => !errorLine.test(line))
  // The errors come last: the service groups failures by the end of the output.
  return [...before, ...lines.filter((line) => errorLine.test(line))].slice(-maxLines)
}

/** Windows writes UTF-16, and Wine does not. */
async function readEnd(path: string): Promise<string> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    // An even position so that characters of two bytes stay whole.
    const start = Math.max(0, (size - maxBytes) & ~1)
    const { buffer, bytesRead } = await file.read(Buffer.alloc(size - start), 0, size - start, start)
    const bytes = buffer.subarray(0, bytesRead)
    return bytes.toString(bytes.subarray(0, 200).includes(0) ? 'utf16le' : 'utf8').replace('\uFEFF', '')
  } finally {
    await file.close()
  }
}
