import { messageOf } from '../../expected-error.ts'
import type { Platform } from '../../platform/platform.ts'
import type { PackageFile, WorkDeclaration } from '../../protocol.ts'
import type { ResolvedCommands } from './declaration.ts'
import { isDetected } from './detect-declared.ts'
import { type MsiPlace, msiCommands } from './msi-commands.ts'
import { removalCommand } from './remove-program.ts'
import { requireNoShellFault } from './shell-faults.ts'
import { sourceCommands } from './source-commands.ts'

const removingKinds: readonly MsiPlace['kind'][] = ['Uninstall', 'Reinstall']

/** What the commands of a package are on this computer, or why the package cannot be used here. */
export async function resolveCommands(
  platform: Platform,
  { msi, source, commands }: WorkDeclaration,
  place: MsiPlace & { files: readonly PackageFile[] },
): Promise<ResolvedCommands | string> {
  try {
    // Before any command: neither what runs parts of a value nor what cannot be detected afterwards is installed.
    await requireNoShellFault(platform.processes, commands, place)
    const resolved = {
      ...(msi && (await msiCommands(platform, msi, place))),
      ...commands,
      // Only then: what a program has registered for its removal does not matter for its installation.
      ...(commands.uninstall &&
        removingKinds.includes(place.kind) && {
          uninstall: await removalCommand(platform.detection, commands.uninstall, place.folder),
        }),
      // Last: a server cannot replace what the source stands for.
      ...(source && (await sourceCommands(platform, source, place.folder))),
    }
    if (resolved.detect && isDeclaredForm(resolved.detect)) await isDetected(platform.detection, resolved.detect)
    return resolved
  } catch (error) {
    return `The package cannot be used on this computer, which runs ${platform.name}: ${messageOf(error)}.`
  }
}

export function isDeclaredForm({ argv, shell }: { argv?: unknown; shell?: unknown }): boolean {
  return argv === undefined && shell === undefined
}
