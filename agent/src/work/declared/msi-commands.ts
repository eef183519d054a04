import { join } from 'node:path'
import type { Platform } from '../../platform/platform.ts'
import type { PackageWorkKind, WorkDeclaration } from '../../protocol.ts'
import type { ResolvedCommands } from './declaration.ts'

type Msi = NonNullable<WorkDeclaration['msi']>
export type MsiPlace = { kind: PackageWorkKind; folder: string; environment: NodeJS.ProcessEnv }

/** Beside the files of the package. The log of an earlier command is not needed any more. */
const logName = 'muster-msi.log'
const options = `/qn /norestart /l*v ${logName}`
const rebootCodes = [3010, 1641]
/** The product is not installed, or is being removed. */
const alreadyRemovedCodes = [1605, 1614]
/** Of a process on Windows, without the path of msiexec. */
const maxLineLength = 32_000
const productCodePattern = /^\{[\dA-F]{8}(-[\dA-F]{4}){3}-[\dA-F]{12}\}$/i

/** The commands for an MSI file, and its product code as the way to find it. */
export async function msiCommands(
  { detection }: Platform,
  msi: Msi,
  { kind, folder, environment }: MsiPlace,
): Promise<ResolvedCommands> {
  if (!detection.readMsiFile || !detection.msiProductVersion)
    throw new Error("'msi' does not exist on this operating system")
  const { productCode, version } = await detection.readMsiFile(join(folder, msi.file))
  if (!productCodePattern.test(productCode)) throw new Error(`${msi.file} has no valid product code`)
  const isInstalled = (await detection.msiProductVersion(productCode)) !== undefined
  const { timeLimitMinutes } = msi
  const run = (line: string, shownLine: string, successCodes: number[]) => ({
    installer: { line, shownLine, log: join(folder, logName) },
    timeLimitMinutes,
    successCodes,
    rebootCodes,
  })
  // Without these, Windows Installer refuses another version of a product that has kept its product code.
  const again = isInstalled ? ['REINSTALL=ALL', 'REINSTALLMODE=vomus'] : []
  const installing = (properties: Msi['properties']) =>
    ['/i', `"${msi.file.replaceAll('/', '\\')}"`, ...again, ...Object.entries(properties).map(toWord), options].join(
      ' ',
    )
  // The removal uses no properties, so it never fails because of a value.
  const properties = kind === 'Uninstall' ? {} : msi.properties
  const expanded = Object.entries(properties).map(([name, written]) => {
    requireUsableVariables(name, written, environment)
    return [name, detection.expandVariables(written, environment)] as const
  })
  const install = run(installing(Object.fromEntries(expanded)), installing(properties), [0])
  if (install.installer.line.length > maxLineLength)
    throw new Error(`the values of its properties have more than ${maxLineLength} characters together`)
  const removal = removalOptions(productCode)
  return {
    install,
    update: install,
    uninstall: run(removal.line, removal.line, removal.successCodes),
    detect: { msi: { productCode, minVersion: version }, timeLimitMinutes, successCodes: [0], rebootCodes: [] },
  }
}

/** How msiexec removes a product. */
export const removalOptions = (productCode: string) => ({
  line: `/x ${productCode} ${options}`,
  log: logName,
  successCodes: [0, ...alreadyRemovedCodes],
  rebootCodes,
})

/**
 * With these, Windows Installer loads transforms, patches or sources from elsewhere, or runs other actions. No signature covers
 * the value of a variable, so it must not choose what runs.
 */
export const loadingProperties = [
  ...['TRANSFORMS', 'TRANSFORMSATSOURCE', 'TRANSFORMSSECURE', 'PATCH', 'SOURCELIST', 'SOURCEDIR', 'CURRENTDIRECTORY'],
  ...['ACTION', 'EXECUTEACTION', 'SEQUENCE', 'MSINEWINSTANCE'],
]

const variableMention = /%(MUSTER_(?:VAR|SECRET)_[^%]*)%/gi

/** Without a value, the property would get the name of the variable as its content. */
function requireUsableVariables(property: string, written: string, environment: NodeJS.ProcessEnv): void {
  for (const [, name = ''] of written.matchAll(variableMention)) {
    if (loadingProperties.includes(property.toUpperCase()))
      throw new Error(`its property ${property} contains ${name}, whose value would choose what runs`)
    if (environment[name.toUpperCase()] === undefined)
      throw new Error(`its property ${property} needs the variable ${name}, which has no value for this computer`)
  }
}

/**
 * msiexec parses its line itself: quotation marks belong around the value, not around the word, and a backslash has no meaning.
 * It has no way to write a quotation mark that every product understands.
 */
function toWord([name, value]: [name: string, value: string]): string {
  if (!/^[A-Z_][\w.]*$/i.test(name)) throw new Error(`${JSON.stringify(name)} is not the name of a property`)
  if (/["\p{Cc}\p{Cs}]/u.test(value))
    throw new Error(`the value for its property ${name} contains a quotation mark or a control character`)
  return `${name}="${value}"`
}
