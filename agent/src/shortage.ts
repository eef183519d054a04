import { codeOf } from './expected-error.ts'

/** Work that could not begin because the computer is short of resources. Nothing has run, so it is tried again. */
export class WorkDelayed extends Error {
  override name = 'WorkDelayed'
}

const shortageCodes = new Set(['EMFILE', 'ENFILE', 'ENOMEM', 'ENOBUFS', 'EAGAIN'])

/** True for a shortage that ends by itself, for example of file descriptors. A full disk needs a person. */
export function isShortage(error: unknown): boolean {
  if (shortageCodes.has(codeOf(error) ?? '')) return true
  return error instanceof Error && error.cause !== undefined && isShortage(error.cause)
}
