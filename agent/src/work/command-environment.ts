import { patchListIn } from '../patches/patch-list.ts'
import { rollbackListIn } from '../patches/rollbacks.ts'
import type { PackageWorkKind, WorkPackage } from '../protocol.ts'
import { collectionsFileIn } from './collections-file.ts'
import { ownProgram } from './declared/source-commands.ts'

export type CommandSubject = {
  kind: PackageWorkKind
  package: WorkPackage
  folder: string
  variables: Record<string, string>
}

/** The environment of a package command. Only the command that does the work gets secrets. */
export function commandEnvironment(
  { kind, package: { name, version, kind: packageKind }, folder, variables }: CommandSubject,
  secrets: Record<string, string> = {},
): NodeJS.ProcessEnv {
  return {
    ...process.env,
    // From the configuration: nothing that a package does needs it.
    MUSTER_AGENT_TOKEN: undefined,
    ...named('MUSTER_VAR_', variables),
    ...named('MUSTER_SECRET_', secrets),
    MUSTER_AGENT_COMMAND: ownProgram().map(quoted).join(' '),
    MUSTER_COLLECTIONS: collectionsFileIn(folder),
    MUSTER_PACKAGE_FOLDER: folder,
    MUSTER_PACKAGE_NAME: name,
    MUSTER_PACKAGE_VERSION: version,
    MUSTER_WORK_KIND: kind,
    ...(packageKind === 'PatchFix' && {
      MUSTER_PATCHES: patchListIn(folder),
      MUSTER_ROLLBACKS: rollbackListIn(folder),
    }),
  }
}

/** For a shell that evaluates it. */
const quoted = (word: string) => `'${word.replaceAll("'", "'\\''")}'`

function named(prefix: string, values: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      `${prefix}${name.toUpperCase().replaceAll(/[^A-Z\d]/g, '_')}`,
      value,
    ]),
  )
}
