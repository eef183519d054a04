import type { PackageCommand, PackageDetection, StartedWork, WorkDeclaration } from '../../protocol.ts'

/** What the package declares. Without more than commands, the server states only those. */
export function declarationOf({ declared, commands }: StartedWork): WorkDeclaration {
  return declared ?? { commands }
}

/** The commands of a package, after everything that it declares has become one. */
export type ResolvedCommands = {
  install?: PackageCommand
  update?: PackageCommand
  uninstall?: PackageCommand
  detect?: PackageDetection
}
