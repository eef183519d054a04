import type { PackageContent } from '../../../features/deployments/started-work/work-content.ts'
import type { ManifestCommand, ManifestMsi } from '../../../features/packages/manifest-commands.ts'
import { detectionForms } from '../../../features/packages/manifest-detection.ts'

export type JobCommands = Partial<Record<string, ManifestCommand>>

/** The commands of a package for an agent that runs nothing but commands, or why there are none. */
export function toJobCommands({ commands, declared }: PackageContent, isWindows: boolean): JobCommands | string {
  if (!declared) return commands
  const form = detectionForms.find((name) => declared.commands.detect?.[name] !== undefined)
  if (form) return `The package finds its software by ${form}, for which the computer needs the agent of Muster.`
  if (declared.msi && !isWindows) return 'The package is an MSI file, which only Windows can install.'
  return { ...(declared.msi && msiCommands(declared.msi)), ...declared.commands }
}

/** Properties have quotes only around their value, as msiexec expects them. */
function msiCommands({ file, properties = {}, timeLimitMinutes = 60 }: ManifestMsi): JobCommands {
  const path = file.replaceAll('/', '\\')
  const set = Object.entries(properties).map(([name, value]) => ` ${name}="${value}"`)
  const common = { timeLimitMinutes, rebootCodes: [3010, 1641] }
  const install = { ...common, shell: `msiexec /i "${path}" /qn /norestart${set.join('')}`, successCodes: [0] }
  // 1605: it is not installed.
  return { install, uninstall: { ...common, shell: `msiexec /x "${path}" /qn /norestart`, successCodes: [0, 1605] } }
}
