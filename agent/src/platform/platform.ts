import type { Detection } from './detection.ts'
import type { Files, SingleInstance } from './files.ts'
import type { Footprint } from './footprint.ts'
import type { SectionCollectors } from './inventory-sections.ts'
import type { Power, Service, SystemState, Users } from './machine.ts'
import type { Processes } from './processes.ts'
import type { UserPrograms } from './programs.ts'
import type { Computer, PatchSource, SourceAnswer } from './reports.ts'
import type { RepositoryPackages } from './repository-packages.ts'
import type { Program } from './self-update.ts'
import type { UserChannel } from './user-channel.ts'

/**
 * What the agent needs of the operating system, by capability. `main.ts` chooses the platform once, and everything outside
 * this folder gets it as a parameter. Nothing here knows of the server, of work items or of the journal.
 */
export type Platform = {
  /** How enrolments and contacts name it, and the name that every package can state as its operating system. */
  name: 'Linux' | 'Windows' | 'macOS'
  paths: Paths
  files: Files
  instance: SingleInstance
  processes: Processes
  power: Power
  users: Users
  userPrograms: UserPrograms
  userChannel: UserChannel
  system: SystemState
  service: Service
  computer: Computer
  /**
   * The collectors of the inventory sections, in order. Called once per collection: they can share what they have read.
   * `record` is called with what each source has answered.
   */
  inventory(record?: (answer: SourceAnswer) => void): SectionCollectors
  patches: PatchSource
  detection: Detection
  /** Lists what there is of software, with limits on its number and on the time. */
  takeFootprint(): Promise<Footprint>
  /** Absent where the operating system has no packages of repositories. */
  repositoryPackages?: RepositoryPackages
  program: Program
  /** The certificates of the authorities that the system trusts, as PEM. Some may occur repeatedly. */
  systemAuthorities(): string[]
  /** Further checks of `selftest` on this platform, by name. */
  selftest?(): Record<string, () => Promise<unknown>>
  /** Commands that only this platform has. */
  commands?: Record<string, PlatformCommand>
}

/** It runs without the configuration file, unless it loads it: some report in their own way that the file cannot be trusted. */
export type PlatformCommand = { usage: string; run(args: string[], agent: SharedCommands): Promise<void> }

/** What the commands of a platform use of the agent. */
export type SharedCommands = {
  /** Reads the configuration file again, which may have been written since the start. */
  loadConfiguration(): void
  isEnrolled(): Promise<boolean>
  /** Like the command, with the options of the environment. */
  enrol(): Promise<void>
  run(): Promise<void>
}

export type Paths = {
  /** Where the agent keeps its state, unless an option or MUSTER_AGENT_STATE names another folder. */
  state(): string
  /** A file with one NAME=value per line. */
  configuration: string
}
