import { kernel32 } from './kernel.ts'

const accessDenied = 5

/** An error of Windows, with its message in the language of the system. */
export class WindowsError extends Error {
  override name = 'WindowsError'
  readonly number: number
  /** As Node names the errors of files. */
  readonly code: string | undefined

  constructor(what: string, number: number = kernel32.GetLastError()) {
    super(`${what}: ${messageOf(number)} (error ${number})`)
    this.number = number
    this.code = number === accessDenied ? 'EACCES' : undefined
  }
}

/** Returns the result of a function, unless it is one that means failure. */
export function check(what: string, result: number): number {
  if (result === 0 || result === -1) throw new WindowsError(what)
  return result
}

/** For functions that return the error itself. */
export function checkStatus(what: string, status: number): void {
  if (status !== 0) throw new WindowsError(what, status)
}

const fromSystem = 0x1000
const ignoreInserts = 0x200

function messageOf(number: number): string {
  const text = Buffer.alloc(1024)
  const length = kernel32.FormatMessageW(fromSystem | ignoreInserts, null, number, 0, text, text.length / 2, null)
  return (
    text
      .toString('utf16le', 0, length * 2)
      .trim()
      .replace(/\.$/, '') || 'unknown error'
  )
}
