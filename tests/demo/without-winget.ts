import { wingetReasons } from '@muster/installers/winget'

const valuesOf = (title: string, ...names: string[]) => names.map((name) => `${title}.${name}`)

/** Nobody asks for the programs of the mirror, or drops a manifest. */
export const unseenWingetValues: string[] = [
  ...valuesOf('WingetSearchResult', 'hasMirror', 'isComplete', 'items'),
  ...valuesOf('WingetSearchItem', 'identifier', 'latestVersion', 'versionCount'),
  ...valuesOf('MirroredWingetPackage', 'identifier', 'version', 'packages', 'rest', 'versions'),
  ...valuesOf('WingetConversion', 'identifier', 'version', 'packages', 'rest'),
  ...valuesOf('WingetPackage', 'architecture', 'installerType', 'scope', 'locale', 'url', 'sha256', 'downloadFault'),
  ...valuesOf('WingetPackage', 'fileName', 'manifest', 'lines', 'requirements', 'warnings'),
  ...['x64', 'x86', 'arm64', 'arm', 'neutral'].map((name) => `WingetPackage.architecture=${name}`),
  'WingetScope=machine',
  ...valuesOf('WingetRest', 'architecture', 'installerType', 'locale', 'reason', 'text'),
  ...Object.keys(wingetReasons).map((reason) => `WingetReason=${reason}`),
]
