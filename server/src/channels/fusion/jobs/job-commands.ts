import {
  detectionForms,
  findMentionedVariable,
  findShellFault,
  type ManifestCommand,
  type ManifestMsi,
  toLines,
} from '@muster/package-format'
import type { PackageContent, WorkDeclaration } from '../../../features/deployments/started-work/package-content.ts'

export type JobCommands = Partial<Record<string, ManifestCommand>>

/** The commands of a package for an agent that runs nothing but commands, or why there are none. */
export function toJobCommands({ commands, declared }: PackageContent, isWindows: boolean): JobCommands | string {
  const fault = isWindows ? findCmdFault(declared ?? { commands }) : undefined
  if (fault !== undefined) return fault
  if (!declared) return commands
  const form = detectionForms.find((name) => declared.commands.detect?.[name] !== undefined)
  if (form) return `The package finds its software by ${form}, for which the computer needs the agent of Muster.`
  if (declared.commands.uninstall?.program)
    return 'The package is removed by the entry of its program, for which the computer needs the agent of Muster.'
  if (declared.commands.before ?? declared.commands.after)
    return 'The package has steps before or after the patches, for which the computer needs the agent of Muster.'
  if (declared.source) return 'The package comes from a repository, for which the computer needs the agent of Muster.'
  if (declared.msi && !isWindows) return 'The package is an MSI file, which only Windows can install.'
  return { ...(declared.msi && msiCommands(declared.msi)), ...declared.commands }
}

/** These agents run everything on Windows with cmd, so no line may have a value of a variable in it. */
function findCmdFault({ commands, msi }: WorkDeclaration): string | undefined {
  for (const [name, command] of Object.entries(commands)) {
    const fault = findShellFault(toLines(command))
    if (fault) return `The command to ${name} the package ${fault}.`
  }
  for (const [name, value] of Object.entries(msi?.properties ?? {})) {
    const variable = findMentionedVariable(value)
    if (variable !== undefined)
      return (
        `The property ${name} of the package gets the value of ${variable}. The agent of this computer would run what it finds ` +
        'in the value: only the agent of Muster can set it.'
      )
  }
  return undefined
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
