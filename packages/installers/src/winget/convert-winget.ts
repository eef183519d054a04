import { manifestName, PackageFault, parseManifest } from '@muster/package-format'
import { windowsArchitectureLines, windowsVersionLines } from '../proposal/conditions.ts'
import { textLines, toSafeFileName } from '../proposal/names.ts'
import {
  implied,
  line,
  type ProposedLine,
  type ProposedManifest,
  requirement,
  toManifest,
} from '../proposal/proposal.ts'
import { onWindows } from '../proposal/windows.ts'
import { rankInstallers, type WingetChoice } from './choose-installer.ts'
import { type ConvertedType, familyRebootCodes, isConvertedType, isMsi, removalSilence } from './families.ts'
import { byMsiexec, installLines, silenceOf } from './install-lines.ts'
import { detectionLine, findListedProgram, removalLines } from './program-lines.ts'
import { type WingetReason, wingetReasons } from './reasons.ts'
import type { WingetInstaller, WingetManifest } from './winget-manifest.ts'

/** The installer of the manifest from which a package is made. */
export type WingetOrigin = {
  architecture: string
  type: string
  scope: 'machine' | 'user' | undefined
  locale: string | undefined
  url: string
  sha256: string
}

export type WingetPackage = Omit<ProposedManifest, 'notes'> & { origin: WingetOrigin }

export type WingetRest = {
  architecture: string
  type: string
  locale: string | undefined
  reason: WingetReason
  text: string
}

export type WingetConversion = {
  identifier: string
  version: string
  /** One for each architecture, the most common first. */
  packages: WingetPackage[]
  /** Installers that need a person. */
  rest: WingetRest[]
}

/** Makes packages of a manifest: for each architecture, of the best installer that can be converted. */
export function convertWinget(manifest: WingetManifest, choice: WingetChoice = {}): WingetConversion {
  const { identifier, version } = manifest
  const packages: WingetPackage[] = []
  const rest: WingetRest[] = []
  for (const installer of rankInstallers(manifest.installers, choice)) {
    const { architecture, type, locale } = installer
    if (packages.some(({ origin }) => origin.architecture === architecture)) continue
    const converted = convertInstaller(manifest, installer, nameOf(identifier, architecture, packages.length === 0))
    if (typeof converted === 'string')
      rest.push({ architecture, type, locale, reason: converted, text: wingetReasons[converted] })
    else packages.push(converted)
  }
  return { identifier, version, packages, rest }
}

/** The first package has the name that others require. Packages for other architectures are different ones. */
const nameOf = (identifier: string, architecture: string, isFirst: boolean) =>
  isFirst ? identifier : `${identifier}-${architecture}`

/** The package of one installer, or why it needs a person. */
export function convertInstaller(
  manifest: WingetManifest,
  installer: WingetInstaller,
  name = manifest.identifier,
): WingetPackage | WingetReason {
  const type = installer.type === 'zip' ? installer.nestedType : installer.type
  if (!isConvertedType(type)) return 'installerType'
  const { url, sha256, architecture, scope, locale } = installer
  const obstacle = findObstacle(installer)
  if (obstacle) return obstacle
  if (url === undefined || sha256 === undefined) return 'noFile'
  const fileName = fileNameOf(url, installer.type === 'zip' ? undefined : type)
  if (fileName === undefined) return 'noFile'
  const install = installLines(installer, type, fileName)
  if (typeof install === 'string') return install
  const found = programLines(manifest, installer, type, fileName)
  if (typeof found === 'string') return found
  const lines = [
    ...[...identityLines(manifest, name), ...conditionLines(installer)],
    ...[...install, ...found, ...requiresLine(installer)],
  ]
  const made = toManifest(lines)
  if (!isValid(made, fileName)) return 'invalid'
  const origin = { architecture, type: installer.type, scope, locale, url, sha256 }
  return { fileName, manifest: made, lines, ...toNotes(installer), origin }
}

const architectures = ['x64', 'x86', 'arm64', 'arm', 'neutral']

function findObstacle({ architecture, scope, modes, elevation }: WingetInstaller): WingetReason | undefined {
  if (!architectures.includes(architecture)) return 'architecture'
  if (scope === 'user') return 'userScope'
  if (elevation === 'elevationprohibited') return 'elevationProhibited'
  if (modes.length > 0 && !modes.some((mode) => mode.startsWith('silent'))) return 'interactive'
  return undefined
}

/** The last part of the path, as the vendor has named the file. */
function fileNameOf(address: string, type: ConvertedType | undefined): string | undefined {
  const url = URL.parse(address)
  if (!url || !['https:', 'http:'].includes(url.protocol) || url.username || url.password) return undefined
  const last = url.pathname.split('/').findLast((part) => part !== '') ?? ''
  const fileName = decode(last).slice(0, 150).toWellFormed()
  return toSafeFileName({ fileName, format: type === undefined ? 'zip' : isMsi(type) ? 'msi' : 'exe' })
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

const stated = 'Stated in the winget manifest'

function identityLines({ version, packageName, publisher, description }: WingetManifest, name: string): ProposedLine[] {
  return [
    line('name', name, 'certain', stated),
    line('version', version, 'certain', stated),
    ...textLines({ displayName: packageName, author: publisher, description }, stated),
    onWindows,
    line('kind', 'software', 'certain', 'Installers contain software'),
  ]
}

const conditionLines = ({ architecture, unsupportedArchitectures, minOsVersion }: WingetInstaller) => [
  ...windowsArchitectureLines(architecture, { confidence: 'certain', reason: stated }, unsupportedArchitectures),
  ...windowsVersionLines(minOsVersion, stated),
]

/** How the software is found and removed. The agent does both by itself for an MSI file of the package. */
function programLines(
  manifest: WingetManifest,
  installer: WingetInstaller,
  type: ConvertedType,
  fileName: string,
): ProposedLine[] | WingetReason {
  const isNested = installer.type === 'zip'
  if (isMsi(type) && !isNested) return msiProductLines(installer)
  const listed = findListedProgram(manifest, installer)
  if (!listed) return 'noProgram'
  const removal =
    type === 'burn' && !isNested
      ? bundleRemoval(fileName)
      : removalLines(
          listed,
          removalSilence[type] ?? silenceOf(installer, type)?.texts.join(' ') ?? '',
          familyRebootCodes[type],
        )
  return [...removal, detectionLine(manifest, listed)]
}

/** The agent reads the product code from the file itself. */
const msiProductLines = ({ productCode = 'PRODUCT-CODE' }: WingetInstaller) => [
  implied('commands.uninstall.shell', `msiexec /x ${productCode} /qn /norestart`, 'certain', byMsiexec),
  implied('commands.detect.msi', { productCode }, 'certain', byMsiexec),
]

const bundleRemoval = (fileName: string) => [
  line(
    'commands.uninstall.argv',
    [fileName, '/uninstall', '/quiet', '/norestart'],
    'certain',
    'Switches of every bundle of WiX',
  ),
  line('commands.uninstall.rebootCodes', familyRebootCodes.burn, 'certain', 'Return codes of Windows Installer'),
]

function requiresLine({ requiredPackages }: WingetInstaller): ProposedLine[] {
  const distinct = [...new Map(requiredPackages.map((one) => [one.toLowerCase(), one])).values()].slice(0, 50)
  return distinct.length === 0
    ? []
    : [line('requires', distinct, 'certain', 'Dependencies of the winget manifest: add these packages as well')]
}

function toNotes(installer: WingetInstaller): Pick<ProposedManifest, 'requirements' | 'warnings'> {
  const { otherDependencies, upgradeBehavior } = installer
  return {
    requirements: otherDependencies.map((name) => requirement('dependency', name, 'certain', stated)),
    warnings: [
      ...(upgradeBehavior === 'uninstallprevious'
        ? ['An earlier version has to be uninstalled before this one is installed.']
        : []),
      ...(upgradeBehavior === 'deny'
        ? ['The software updates itself: it does not install over an earlier version.']
        : []),
    ],
  }
}

/** The texts of a manifest can have any length, and whatever the schema of packages does not allow. */
function isValid(manifest: ProposedManifest['manifest'], fileName: string): boolean {
  try {
    parseManifest(Buffer.from(JSON.stringify(manifest)), new Set([fileName, manifestName]))
    return true
  } catch (error) {
    if (error instanceof PackageFault) return false
    throw error
  }
}
