import { InstallerFault } from './installer-fault.ts'

/** What reading one file may cost. */
export type InstallerLimits = {
  /** Of the file itself. */
  maxFileBytes: number
  /** That are read of the file. Most of a file is its payload, which is never read. */
  maxReadBytes: number
  /** That compressed parts unpack to, in all. */
  maxUnpackedBytes: number
  /** Entries of an archive that are looked at. */
  maxEntries: number
  timeLimitMs: number
}

const mebibyte = 1024 * 1024

export const defaultInstallerLimits: InstallerLimits = {
  maxFileBytes: 16 * 1024 * mebibyte,
  maxReadBytes: 128 * mebibyte,
  maxUnpackedBytes: 128 * mebibyte,
  maxEntries: 20_000,
  timeLimitMs: 20_000,
}

/** Counts what the reading of one file has cost so far. */
export class Budget {
  readonly limits: InstallerLimits
  readonly #deadline: number
  #readBytes = 0
  #unpackedBytes = 0

  constructor(limits: InstallerLimits) {
    this.limits = limits
    this.#deadline = performance.now() + limits.timeLimitMs
  }

  get readBytes(): number {
    return this.#readBytes
  }

  chargeRead(bytes: number): void {
    this.requireTime()
    this.#readBytes += bytes
    if (this.#readBytes > this.limits.maxReadBytes)
      throw new InstallerFault('tooLarge', `More than ${this.limits.maxReadBytes} bytes of the file would be read.`)
  }

  chargeUnpacked(bytes: number): void {
    this.requireTime()
    this.#unpackedBytes += bytes
    if (this.#unpackedBytes > this.limits.maxUnpackedBytes)
      throw new InstallerFault('tooLarge', `The file unpacks to more than ${this.limits.maxUnpackedBytes} bytes.`)
  }

  requireTime(): void {
    if (performance.now() > this.#deadline)
      throw new InstallerFault('tooSlow', `Reading the file takes more than ${this.limits.timeLimitMs / 1000} seconds.`)
  }
}
