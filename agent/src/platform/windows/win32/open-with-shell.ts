import { library } from './library.ts'

const shell32 = library('shell32.dll', {
  ShellExecuteW: ['intptr', 'intptr', 'str16', 'str16', 'str16', 'str16', 'int'],
})

const showNormal = 1
/** Results up to this number are errors. */
const maxError = 32

/** Opens a file with the program that the user has chosen for its kind. Returns whether that worked. */
export function openWithShell(file: string): boolean {
  return shell32.ShellExecuteW(0, 'open', file, null, null, showNormal) > maxError
}
