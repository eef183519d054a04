import type { Platform } from '../scenario.ts'

export type OperatingSystem = {
  platform: Platform
  isServer: boolean
  /** As the computer reports it. */
  caption: string
  name: string
  edition: string
  version: string
  build: string
  /** Which patches apply to it. */
  release: string
  /** The product of these patches, in scans and in the patch catalog. Several releases can share it. */
  product: string
  /** Names that packages use for it in `operatingSystems`. */
  alsoKnownAs: readonly string[]
  /** Percentage of the computers of the platform. */
  weight: number
}

/** The products of the Windows Update Agent that are not named like the operating system. */
const updateProducts: Record<string, string> = {
  'Windows 10': 'Windows 10, version 1903 and later',
  'Windows Server 2022': 'Microsoft Server operating system-21H2',
}

const windows = (name: string, edition: string, release: string, build: number, weight: number): OperatingSystem => ({
  platform: 'windows',
  isServer: name.includes('Server'),
  caption: `Microsoft ${name} ${edition}`,
  name,
  edition,
  version: `10.0.${build}`,
  build: String(build),
  release: `${name} ${release}`.trim(),
  product: updateProducts[name] ?? name,
  alsoKnownAs: ['Windows', name, `${name} ${edition}`],
  weight,
})

const linux = (name: string, id: string, version: string, kernel: string, isServer: boolean, weight: number) => ({
  platform: 'linux' as const,
  isServer,
  caption: `${name} ${version}`,
  name,
  edition: isServer ? 'Server' : 'Workstation',
  version,
  build: kernel,
  release: `${name} ${version}`,
  product: `${name} ${version}`,
  alsoKnownAs: ['Linux', id, name, `${name} ${version}`, `${id} ${version}`],
  weight,
})

const macos = (codeName: string, version: string, build: string, weight: number): OperatingSystem => ({
  platform: 'macos',
  isServer: false,
  caption: `macOS ${codeName} ${version}`,
  name: 'macOS',
  edition: codeName,
  version,
  build,
  release: `macOS ${version.split('.')[0]}`,
  product: `macOS ${version.split('.')[0]}`,
  alsoKnownAs: ['macOS', `macOS ${codeName}`, `macOS ${version.split('.')[0]}`],
  weight,
})

export const operatingSystems: readonly OperatingSystem[] = [
  windows('Windows 11', 'Enterprise', '24H2', 26_100, 48),
  windows('Windows 11', 'Pro', '23H2', 22_631, 22),
  windows('Windows 10', 'Enterprise', '22H2', 19_045, 18),
  windows('Windows Server 2022', 'Standard', '', 20_348, 8),
  windows('Windows Server 2019', 'Datacenter', '', 17_763, 4),
  linux('Debian GNU/Linux', 'debian', '12', '6.1.0-28-amd64', true, 40),
  linux('Ubuntu', 'ubuntu', '24.04', '6.8.0-51-generic', false, 40),
  linux('Red Hat Enterprise Linux', 'rhel', '9.5', '5.14.0-503.el9', true, 20),
  macos('Sequoia', '15.2', '24C101', 60),
  macos('Sonoma', '14.7', '23H124', 40),
]
