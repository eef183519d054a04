import type { PatchScan, WorkPatch } from '../protocol.ts'

/** What identifies this computer and its operating system. */
export type Computer = {
  name(): Promise<{ name: string; domain: string | undefined }>
  /** The UUID of the firmware, if it is readable and valid. */
  firmwareUuid(): Promise<string | null>
  /** The addresses of the network interface that leads out. */
  mainInterface(): Promise<{ macAddress: string | null; ipAddress: string | null }>
  /** The names by which a package can refer to this operating system. The first is that of the platform. */
  systemNames(): Promise<string[]>
  /** How messages to people name the operating system. */
  systemTitle(): Promise<string>
  /** The release of the operating system, used as the product of its patches. */
  productName(): Promise<string>
}

/** `unknown` if the computer does not have what was asked; `failed` if it should have answered, and did not. */
export type AnswerState = 'ok' | 'unknown' | 'failed'

/** What a source of the inventory was asked and has answered, in words, for `muster-agent selftest`. */
export type SourceAnswer = {
  source: string
  asked: string
  answer: string
  state: AnswerState
  milliseconds: number
}

/** Provides patch scans, and installs patches where packages cannot do that with a tool of the system. */
export type PatchSource = {
  /**
   * Lists missing patches and installed updates. `known` contains the keys that an earlier scan has found missing.
   * Undefined if patches cannot be scanned.
   */
  scan(known: ReadonlySet<string>): Promise<PatchScan | undefined>
  /** Why `scan` returns undefined, as a part of a sentence: "it has no apt". */
  unavailable: string
  /** Fetches what the update servers or repositories offer. Absent if a scan asks them itself. */
  refresh?(): Promise<void>
  /** Installs exactly these patches, whose files have absolute paths. Absent if the platform has no way to do it. */
  install?(patches: readonly WorkPatch[], onProgress: (line: string) => void): Promise<PatchInstallation>
  /** Brings back the versions before these installed patches, by their keys. Absent if the platform has no way to do it. */
  rollBack?(keys: readonly string[], onProgress: (line: string) => void): Promise<PatchRollbacks>
}

/** What has become of a patch that was to be rolled back. `reason` is a sentence for people. */
export type RollbackOutcome = { key: string; outcome: 'RolledBack' | 'Refused'; reason: string }

export type PatchRollbacks = {
  rebootRequired: boolean
  /** Without those that are to be tried again. */
  outcomes: RollbackOutcome[]
}

export type PatchInstallation = {
  rebootRequired: boolean
  /** The patches that could not be installed, and why. */
  failures: { key: string; reason: string }[]
}
