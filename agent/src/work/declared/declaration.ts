import type { PackageCommand, PackageDetection, StartedWork, WorkDeclaration } from '../../protocol.ts'

/** What the package declares. Without more than commands, the server states only those. */
export function declarationOf({ declared, commands }: StartedWork): WorkDeclaration {
  return declared ?? { commands }
}

/** A command; `msiLog` is the file in which Windows Installer logs what it does. */
export type ResolvedCommand = PackageCommand & { msiLog?: string }

/** The commands of a package, after everything that it declares has become one. */
export type ResolvedCommands = {
  install?: ResolvedCommand
  update?: ResolvedCommand
  uninstall?: ResolvedCommand
  detect?: PackageDetection
}
