import { library } from './library.ts'

const kernel32 = library('kernel32.dll', {
  MultiByteToWideChar: ['int', 'uint32', 'uint32', 'void *', 'int', '_Out_ void *', 'int'],
})

/** The code page of consoles, for example 850. */
const consoleCodePage = 1

/** Decodes what a program has written for a console. A byte can become at most one character of UTF-16. */
export function decodeConsoleText(bytes: Buffer): string {
  const text = Buffer.alloc(2 * bytes.length)
  const length = kernel32.MultiByteToWideChar(consoleCodePage, 0, bytes, bytes.length, text, bytes.length)
  return text.toString('utf16le', 0, 2 * length)
}
