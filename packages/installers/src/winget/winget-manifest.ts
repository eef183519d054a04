import { toLine, toLines } from '../texts.ts'
import {
  listIn,
  mapIn,
  mapsIn,
  numbersIn,
  readYamlMap,
  textIn,
  textsIn,
  toReturnCode,
  type WingetFile,
  type YamlMap,
} from './read-yaml.ts'
import { WingetFault } from './winget-fault.ts'

export type WingetProgramEntry = {
  displayName?: string | undefined
  publisher?: string | undefined
  displayVersion?: string | undefined
  productCode?: string | undefined
}

export const switchNames = ['Silent', 'SilentWithProgress', 'Custom', 'Log'] as const
export type WingetSwitches = Partial<Record<(typeof switchNames)[number], string>>

export type WingetInstaller = {
  architecture: string
  /** In lower case, such as `nullsoft`. */
  type: string
  /** Of the installer in a ZIP archive. */
  nestedType: string | undefined
  nestedFile: string | undefined
  scope: 'machine' | 'user' | undefined
  locale: string | undefined
  url: string | undefined
  /** In lower case; undefined if it is none. */
  sha256: string | undefined
  switches: WingetSwitches
  successCodes: number[]
  expectedCodes: { code: number; response: string }[]
  productCode: string | undefined
  entries: WingetProgramEntry[]
  elevation: string | undefined
  upgradeBehavior: string | undefined
  minOsVersion: string | undefined
  modes: string[]
  requiredPackages: string[]
  otherDependencies: string[]
  unsupportedArchitectures: string[]
}

/** What the files of one version of a package say together. */
export type WingetManifest = {
  identifier: string
  version: string
  packageName: string | undefined
  publisher: string | undefined
  description: string | undefined
  installers: WingetInstaller[]
}

const identifierPattern = /^[^.\s\\/:*?"<>|\p{Cc}]{1,32}(\.[^.\s\\/:*?"<>|\p{Cc}]{1,32}){1,7}$/u
const maxFiles = 200

/**
 * Reads the manifest of one version of a package: a singleton, or the files for version, installers and locales together. Throws a
 * WingetFault if the files are not one.
 */
export function readWingetManifest(files: readonly WingetFile[]): WingetManifest {
  if (files.length > maxFiles) throw new WingetFault(`A manifest has at most ${maxFiles} files.`)
  const maps = files.map(readYamlMap)
  const ofType = (...types: string[]) =>
    maps.filter((map) => types.includes(textIn(map, 'ManifestType')?.toLowerCase() ?? ''))
  const [installers, second] = ofType('installer', 'singleton', 'merged')
  if (!installers)
    throw new WingetFault(
      'No file has the installers of a winget manifest: its ManifestType is installer or singleton.',
    )
  if (second) throw new WingetFault('The files belong to more than one manifest.')
  const identifier = textIn(installers, 'PackageIdentifier', 128) ?? ''
  const version = textIn(installers, 'PackageVersion', 128) ?? ''
  if (!identifierPattern.test(identifier)) throw new WingetFault('The manifest has no valid PackageIdentifier.')
  if (version === '' || /[\p{Cc}\\/:*?"<>|]/u.test(version))
    throw new WingetFault('The manifest has no valid PackageVersion.')
  if (maps.some((map) => !belongsTo(map, identifier, version)))
    throw new WingetFault('The files belong to different packages or versions.')
  return {
    ...{ identifier, version },
    ...readTexts([...ofType('defaultlocale'), installers]),
    installers: mapsIn(installers, 'Installers').map((one) => readInstaller(installers, one)),
  }
}

const belongsTo = (map: YamlMap, identifier: string, version: string) =>
  textIn(map, 'PackageIdentifier', 128)?.toLowerCase() === identifier.toLowerCase() &&
  textIn(map, 'PackageVersion', 128) === version

/** From the default locale, or from a manifest of a single file. */
function readTexts(maps: readonly YamlMap[]) {
  const first = (name: string, maxLength = 1_000) => {
    for (const map of maps) {
      const found = textIn(map, name, maxLength)
      if (found !== undefined) return found
    }
    return undefined
  }
  const line = (text: string | undefined) => (text === undefined ? undefined : toLine(text, 255) || undefined)
  const description = first('ShortDescription') ?? first('Description', 20_000)
  return {
    packageName: line(first('PackageName')),
    publisher: line(first('Publisher')),
    description: description === undefined ? undefined : toLines(description) || undefined,
  }
}

/** What an installer does not state itself is stated once for all of them. */
function readInstaller(root: YamlMap, own: YamlMap): WingetInstaller {
  const either = (name: string, maxLength?: number) => textIn(own, name, maxLength) ?? textIn(root, name, maxLength)
  const stating = (name: string) => (Object.hasOwn(own, name) ? own : root)
  const nestedFiles = mapsIn(stating('NestedInstallerFiles'), 'NestedInstallerFiles')
  const scope = either('Scope')?.toLowerCase()
  return {
    architecture: either('Architecture')?.toLowerCase() ?? '',
    type: either('InstallerType')?.toLowerCase() ?? '',
    nestedType: either('NestedInstallerType')?.toLowerCase(),
    nestedFile: nestedFiles[0] && textIn(nestedFiles[0], 'RelativeFilePath'),
    scope: scope === 'machine' || scope === 'user' ? scope : undefined,
    locale: either('InstallerLocale', 35),
    url: textIn(own, 'InstallerUrl', 2_048),
    sha256: /^[\dA-F]{64}$/i.exec(textIn(own, 'InstallerSha256') ?? '')?.[0].toLowerCase(),
    switches: readSwitches(root, own),
    successCodes: numbersIn(stating('InstallerSuccessCodes'), 'InstallerSuccessCodes'),
    expectedCodes: mapsIn(stating('ExpectedReturnCodes'), 'ExpectedReturnCodes').flatMap(readExpectedCode),
    productCode: either('ProductCode', 255),
    entries: mapsIn(stating('AppsAndFeaturesEntries'), 'AppsAndFeaturesEntries').map(readEntry),
    elevation: either('ElevationRequirement')?.toLowerCase(),
    upgradeBehavior: either('UpgradeBehavior')?.toLowerCase(),
    minOsVersion: /^\d+(\.\d+){0,3}$/.exec(either('MinimumOSVersion') ?? '')?.[0],
    modes: textsIn(stating('InstallModes'), 'InstallModes').map((mode) => mode.toLowerCase()),
    ...readDependencies(mapIn(stating('Dependencies'), 'Dependencies')),
    unsupportedArchitectures: textsIn(stating('UnsupportedOSArchitectures'), 'UnsupportedOSArchitectures'),
  }
}

const maxSwitchLength = 2_048

/** Each switch by itself: an installer that states one keeps the others of the manifest. */
function readSwitches(root: YamlMap, own: YamlMap): WingetSwitches {
  const [rootMap, ownMap] = [mapIn(root, 'InstallerSwitches'), mapIn(own, 'InstallerSwitches')]
  const found = switchNames.flatMap((name) => {
    const text = textIn(ownMap, name, maxSwitchLength) ?? textIn(rootMap, name, maxSwitchLength)
    return text === undefined ? [] : [[name, text] as const]
  })
  return Object.fromEntries(found)
}

function readExpectedCode(map: YamlMap) {
  const [code] = toReturnCode(textIn(map, 'InstallerReturnCode') ?? '')
  const response = textIn(map, 'ReturnResponse')
  return code === undefined || response === undefined ? [] : [{ code, response: response.toLowerCase() }]
}

const readEntry = (map: YamlMap): WingetProgramEntry => ({
  displayName: textIn(map, 'DisplayName', 255),
  publisher: textIn(map, 'Publisher', 255),
  displayVersion: textIn(map, 'DisplayVersion', 100),
  productCode: textIn(map, 'ProductCode', 255),
})

function readDependencies(dependencies: YamlMap) {
  const others = ['WindowsFeatures', 'WindowsLibraries', 'ExternalDependencies'] as const
  return {
    requiredPackages: mapsIn(dependencies, 'PackageDependencies').flatMap((one) => {
      const identifier = textIn(one, 'PackageIdentifier', 128) ?? ''
      return identifierPattern.test(identifier) ? [identifier] : []
    }),
    otherDependencies: others.flatMap((name) => listIn(dependencies, name).flatMap(toText)),
  }
}

const toText = (value: unknown) => (typeof value === 'string' && toLine(value, 200) !== '' ? [toLine(value, 200)] : [])
