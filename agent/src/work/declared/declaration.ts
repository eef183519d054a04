import type { PackageCommand, PackageDetection, StartedWork, WorkDeclaration } from '../../protocol.ts'
import type { ProgramQuery } from './programs.ts'

/** What the package declares. Without more than commands, the server states only those. */
export function declarationOf({ declared, commands }: StartedWork): WorkDeclaration {
  return declared ?? { commands }
}

/** The words of msiexec. */
export type MsiRequest = {
  line: string
  /** The line as it is reported: with the names of variables in place of their values. */
  shownLine: string
  /** The file in which Windows Installer logs what it does. */
  log: string
}

/** A command, or what msiexec is asked to do in place of one. */
export type ResolvedCommand = PackageCommand & {
  installer?: MsiRequest
  /** The program that is no longer listed once the command has done its work. */
  removes?: ProgramQuery
}

/** The commands of a package, after everything that it declares has become one. */
export type ResolvedCommands = {
  install?: ResolvedCommand
  update?: ResolvedCommand
  uninstall?: ResolvedCommand
  /** Around the installation of patches. */
  before?: ResolvedCommand
  after?: ResolvedCommand
  detect?: PackageDetection
}
