import { line, type ProposedLine } from '../proposal/proposal.ts'
import { toLine } from '../texts.ts'
import type { WingetInstaller, WingetManifest } from './winget-manifest.ts'

/** How Windows lists the program: by the key of its entry, or by its name. */
export type ListedProgram = {
  program: { id: string } | { name: string; publisher?: string }
  /** Whether the program is of this version if it is listed so at all. */
  isVersioned: boolean
  displayVersion: string | undefined
  confidence: 'certain' | 'likely'
  reason: string
}

const dottedVersion = /^\d+(\.\d+)*$/
const guid = /^\{[\dA-F]{8}(-[\dA-F]{4}){3}-[\dA-F]{12}\}$/i
/** The name of a key cannot have a backslash, and a text of the registry no control character. */
const isKeyName = (text: string | undefined): text is string =>
  text !== undefined && !/[\\\p{Cc}\p{Cf}]/u.test(text) && text.length <= 255

/** What the manifest says about the entry of the program, or undefined if it says nothing. */
export function findListedProgram(manifest: WingetManifest, installer: WingetInstaller): ListedProgram | undefined {
  const { entries, productCode } = installer
  const displayVersion = entries.find((entry) => entry.displayVersion !== undefined)?.displayVersion
  const id = [productCode, ...entries.map((entry) => entry.productCode)].find(isKeyName)
  if (id !== undefined)
    return {
      program: { id },
      // Another version of an MSI product or of a bundle has another code.
      isVersioned: guid.test(id) || id.includes(manifest.version),
      ...{ displayVersion, confidence: 'certain', reason: 'ProductCode of the winget manifest' },
    }
  const entry = entries.find((one) => isKeyName(one.displayName))
  const stated = entry?.displayName
  const name = toLine(stated ?? manifest.packageName ?? '', 255)
  if (name === '') return undefined
  const publisher = entry?.publisher ?? (stated === undefined ? manifest.publisher : undefined)
  return {
    program: { name, ...(publisher !== undefined && { publisher: toLine(publisher, 255) }) },
    // The agent does not compare versions in names.
    isVersioned: false,
    displayVersion,
    ...(stated === undefined
      ? { confidence: 'likely', reason: 'Names of the package and its publisher in the winget manifest' }
      : { confidence: 'certain', reason: 'DisplayName of the winget manifest' }),
  }
}

/** How the agent finds the program. A registered version that differs from that of the package is stated in the manifest. */
export function detectionLine(manifest: WingetManifest, listed: ListedProgram): ProposedLine {
  const { program, isVersioned, displayVersion, confidence, reason } = listed
  const stated = displayVersion !== undefined && dottedVersion.test(displayVersion) ? displayVersion : undefined
  const assumed = !isVersioned && displayVersion === undefined && dottedVersion.test(manifest.version)
  const minVersion = stated ?? (assumed ? manifest.version : undefined)
  return line(
    'commands.detect.program',
    { ...program, ...(minVersion !== undefined && { minVersion }) },
    assumed || (minVersion === undefined && !isVersioned) ? 'likely' : confidence,
    minVersion === undefined && !isVersioned ? `${reason}. Finds any version` : reason,
  )
}

/** Removes the program with the command that it has registered. */
export function removalLines({ program, reason }: ListedProgram, silence: string, rebootCodes: readonly number[]) {
  return [
    line(
      'commands.uninstall.program',
      { ...program, ...(silence !== '' && { arguments: silence }) },
      'likely',
      `${reason}. Runs the command for the removal that the program has registered`,
    ),
    ...(rebootCodes.length > 0
      ? [line('commands.uninstall.rebootCodes', rebootCodes, 'likely', 'Return codes of the family')]
      : []),
  ]
}
