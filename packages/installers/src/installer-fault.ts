/**
 * Why a file cannot be read:
 * - `unknownFormat`: it has none of the formats that can be read.
 * - `damaged`: it contradicts itself or ends too early.
 * - `unsupported`: it is a known format with content that is not read, such as an encrypted archive.
 * - `tooLarge`: it, or what it unpacks to, exceeds the limits.
 * - `tooSlow`: reading it takes too long.
 * - `outOfMemory`: reading it needs too much memory.
 * - `notAFile`: there is no such file, or it cannot be opened.
 */
export const installerFaultCodes = [
  'unknownFormat',
  'damaged',
  'unsupported',
  'tooLarge',
  'tooSlow',
  'outOfMemory',
  'notAFile',
] as const

export type InstallerFaultCode = (typeof installerFaultCodes)[number]

/** The only error that reading a file throws, whatever the file contains. */
export class InstallerFault extends Error {
  override name = 'InstallerFault'
  readonly code: InstallerFaultCode

  constructor(code: InstallerFaultCode, message: string) {
    super(message)
    this.code = code
  }
}

export const damaged = (what: string) => new InstallerFault('damaged', `The file is damaged: ${what}.`)

export const unsupported = (what: string) => new InstallerFault('unsupported', `The file cannot be read: ${what}.`)

/** Code of libraries and of Node fails in its own ways on hostile bytes: all of them mean that the file is damaged. */
export function toInstallerFault(error: unknown): InstallerFault {
  if (error instanceof InstallerFault) return error
  return damaged(error instanceof Error ? error.message : String(error))
}
