import type { CommandManifest } from './manifest.ts'
import type { ManifestCommand, ManifestDetection, ManifestMsi, ManifestUninstall } from './manifest-commands.ts'
import { detectionForms } from './manifest-detection.ts'
import { fault, type PropertyFault } from './property-fault.ts'
import { findMentionedVariable, findShellFault, isForWindows, toLines } from './shell-fault.ts'
import { findSourceFault } from './source-faults.ts'

/** The first fault in the commands of a manifest that its schema does not find, or undefined. */
export function findCommandFault(manifest: CommandManifest): PropertyFault | undefined {
  const { commands = {}, operatingSystems } = manifest
  const msi = 'msi' in manifest ? manifest.msi : undefined
  if (manifest.kind === 'software' && manifest.source) return findSourceFault(manifest, manifest.source)
  const missing = manifest.commands ? 'commands.install' : 'commands'
  if (!commands.install && !msi)
    return fault(
      missing,
      manifest.kind === 'software' ? 'is required, unless the package has msi or source' : 'is required',
    )
  for (const name of ['install', 'update', 'before', 'after'] as const) {
    const command = commands[name]
    if (command && aroundInstall.includes(name) && manifest.kind !== 'patchFix')
      return fault(`commands.${name}`, 'is for packages of the kind patchFix')
    const found = command && findRunFault(`commands.${name}`, command, operatingSystems)
    if (found) return found
  }
  const removal = commands.uninstall && findRemovalFault(commands.uninstall, operatingSystems)
  if (removal) return removal
  const { detect } = commands
  return (detect && findDetectionFault(detect, operatingSystems)) ?? (msi && findMsiFault(msi, operatingSystems))
}

/** Other packages have scripts of their own, and trials that install and uninstall them. */
const aroundInstall: readonly string[] = ['before', 'after']

function findRunFault(
  property: string,
  command: ManifestCommand,
  operatingSystems: readonly string[],
): PropertyFault | undefined {
  const { argv, shell } = command
  if ((argv === undefined) === (shell === undefined)) return fault(property, 'must have either argv or shell')
  const codeFault = findCodeFault(property, command)
  if (codeFault) return codeFault
  const shellFault = isForWindows(operatingSystems) ? findShellFault(toLines(command)) : undefined
  return shellFault === undefined ? undefined : fault(`${property}.${argv ? 'argv' : 'shell'}`, shellFault)
}

function findCodeFault(
  property: string,
  { successCodes = [], rebootCodes = [] }: ManifestCommand,
): PropertyFault | undefined {
  const both = successCodes.find((code) => rebootCodes.includes(code))
  if (both !== undefined) return fault(property, `must not list ${both} in both successCodes and rebootCodes`)
  if (successCodes.length + rebootCodes.length === 0)
    return fault(property, 'can never succeed: add a return code to successCodes or rebootCodes')
  return undefined
}

function findRemovalFault(
  uninstall: ManifestUninstall,
  operatingSystems: readonly string[],
): PropertyFault | undefined {
  const property = 'commands.uninstall'
  const { argv, shell, program } = uninstall
  if (!program) return findRunFault(property, uninstall, operatingSystems)
  if (argv !== undefined || shell !== undefined) return fault(property, 'must have exactly one of argv, shell, program')
  const lines = program.arguments ?? ''
  if (/[\p{Cc}%]/u.test(lines))
    return fault(`${property}.program.arguments`, 'must not contain percent signs or control characters')
  return (
    findSystemFault(`${property}.program`, 'program', operatingSystems) ??
    findNameFault(`${property}.program`, program) ??
    findCodeFault(property, uninstall)
  )
}

const findNameFault = (property: string, { id, name }: { id?: string; name?: string }) =>
  (id === undefined) === (name === undefined) ? fault(property, 'must have either id or name') : undefined

function findDetectionFault(detect: ManifestDetection, operatingSystems: readonly string[]): PropertyFault | undefined {
  const property = 'commands.detect'
  const forms = detectionForms.filter((name) => detect[name] !== undefined)
  const ways = [...(['argv', 'shell'] as const).filter((name) => detect[name] !== undefined), ...forms]
  if (ways.length !== 1) return fault(property, `must have exactly one of argv, shell, ${detectionForms.join(', ')}`)
  const [form] = forms
  return form === undefined
    ? findRunFault(property, detect, operatingSystems)
    : (findSystemFault(`${property}.${form}`, form, operatingSystems) ?? findFormFault(`${property}.${form}`, detect))
}

function findFormFault(
  property: string,
  { registry, file, msi, dpkg, rpm, program }: ManifestDetection,
): PropertyFault | undefined {
  const { version, minVersion } = registry ?? file ?? msi ?? dpkg ?? rpm ?? program ?? {}
  const compared = [version, minVersion, registry?.equals].filter((one) => one !== undefined)
  if (compared.length > 1)
    return fault(property, `must have at most one of ${registry ? 'equals, ' : ''}version and minVersion`)
  if (registry && compared.length > 0 && registry.value === undefined)
    return fault(property, 'must name the value to compare')
  const nameFault = program && findNameFault(property, program)
  if (nameFault) return nameFault
  if (file && !absolutePath.test(file.path)) return fault(`${property}.path`, 'must be an absolute path')
  return undefined
}

/** Of Unix, a drive, a share, or one that begins with a variable of the environment. */
const absolutePath = /^(\/|[A-Za-z]:[\\/]|\\\\|%[^%]+%)/

const onWindowsOnly: readonly string[] = ['registry', 'msi', 'program']
const onLinuxOnly: readonly string[] = ['dpkg', 'rpm']

/** A form that none of the operating systems can answer. */
function findSystemFault(
  property: string,
  form: string,
  operatingSystems: readonly string[],
): PropertyFault | undefined {
  const isWindows = operatingSystems.map((name) => /^windows/i.test(name))
  if (onWindowsOnly.includes(form) && !isWindows.includes(true))
    return fault(property, 'exists on Windows only, and no name in operatingSystems begins with Windows')
  if (onLinuxOnly.includes(form) && !isWindows.includes(false))
    return fault(property, 'exists on Linux only, and the package is for Windows')
  return undefined
}

/** The agent decides about these. */
const reservedProperties = ['REINSTALL', 'REINSTALLMODE', 'REBOOT']

/**
 * With these, Windows Installer loads transforms, patches or sources from elsewhere, or runs other actions. Their values choose
 * what runs, so they must be part of the manifest. Agents refuse values of variables in them as well.
 */
export const loadingProperties = [
  ...['TRANSFORMS', 'TRANSFORMSATSOURCE', 'TRANSFORMSSECURE', 'PATCH', 'SOURCELIST', 'SOURCEDIR', 'CURRENTDIRECTORY'],
  ...['ACTION', 'EXECUTEACTION', 'SEQUENCE', 'MSINEWINSTANCE'],
]

function findMsiFault(
  { file, properties = {} }: ManifestMsi,
  operatingSystems: readonly string[],
): PropertyFault | undefined {
  if (!/\.msi$/i.test(file)) return fault('msi.file', 'must name a file that ends with .msi')
  for (const [name, value] of Object.entries(properties)) {
    const property = `msi.properties.${name}`
    if (reservedProperties.includes(name.toUpperCase())) return fault(property, 'is set by the agent')
    const variable = loadingProperties.includes(name.toUpperCase()) ? findMentionedVariable(value) : undefined
    if (variable !== undefined) return fault(property, `must not contain ${variable}: its value would choose what runs`)
    // It is put into quotes on a command line.
    if (/["\p{Cc}]/u.test(value)) return fault(property, 'must not contain quotes or control characters')
  }
  return findSystemFault('msi', 'msi', operatingSystems)
}
