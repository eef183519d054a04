import type { NetworkAdapter, SecurityReport, SystemReport } from '../../protocol.ts'
import { drawsOf } from '../../random.ts'
import { type FleetPlan, isAmong, type Machine } from '../machine.ts'
import { sites } from '../people.ts'
import type { Moment } from './moment.ts'

/** An address in the network of the site. It changes with the epoch. */
export function ipAddressOf({ seed }: FleetPlan, { number, site }: Machine, epoch: number): string {
  const network = 10 + sites.indexOf(site)
  const draws = drawsOf(seed, number, 'address', epoch)
  return `10.${network}.${draws.whole(0, 63)}.${draws.whole(2, 250)}`
}

/** The user of the computer, or null if nobody is signed in. It changes with the epoch. */
export function loggedOnUserOf({ seed }: FleetPlan, machine: Machine, epoch: number): string | null {
  if (machine.isServer || drawsOf(seed, machine.number, 'user', epoch).happens(0.15)) return null
  const { login } = machine.person
  return machine.platform === 'windows' ? `${netBiosName(machine)}\\${login}` : login
}

const netBiosName = ({ domain }: Machine) => domain.split('.')[0]?.toUpperCase() ?? 'CORP'

/** One of 200 computers was renamed after it was enrolled. */
const reportedNameOf = ({ name, number }: Machine) => (isAmong(number, 0.005, 15) ? `${name}-new` : name)

const platformNames = { windows: 'Windows', linux: 'Linux', macos: 'macOS' } as const

/** As the systems name the architectures of processors. */
const architectureNames = {
  windows: { x64: 'AMD64', arm64: 'ARM64' },
  other: { x64: 'x86_64', arm64: 'arm64' },
} as const

export function systemOf({ plan, machine, epoch }: Moment): SystemReport {
  const { system, model, site, person, isServer } = machine
  const draws = drawsOf(plan.seed, machine.number, 'system', epoch)
  const user = loggedOnUserOf(plan, machine, epoch)
  const isWindows = machine.platform === 'windows'
  return {
    fqdn: `${reportedNameOf(machine)}.${machine.domain}`,
    operatingSystem: system.caption,
    osName: system.name,
    osEdition: system.edition,
    osVersion: system.version,
    osBuild: system.build,
    osLogin: isServer ? null : isWindows ? `${netBiosName(machine)}\\${person.login}` : person.login,
    platform: platformNames[machine.platform],
    language: isServer ? 'en-US' : site.language,
    architecture: architectureNames[isWindows ? 'windows' : 'other'][model.architecture],
    bitVersion: 64,
    processorName: model.processor.name,
    processorCount: model.kind === 'server' ? 2 : 1,
    processorMhz: model.processor.mhz,
    memoryMb: machine.memoryGb * 1024,
    biosVersion: model.firmware,
    biosDate: `${2024 - (machine.age % 4)}-0${1 + (machine.number % 9)}-15`,
    ipAddress: ipAddressOf(plan, machine, 0),
    loggedOnUser: user,
    userIsAdmin: user === null ? null : isAmong(machine.number, 0.06, 8),
    timeZone: site.timeZone,
    displayAdapter: model.graphics.name,
    screenResolution: `${model.screen.width} x ${model.screen.height}`,
    vmType: model.kind === 'virtual' ? 'VMware' : null,
    tempDirSizeMb: draws.whole(5, 4_000),
  }
}

const adapterNames = {
  laptop: ['Intel(R) Wi-Fi 6E AX211 160MHz', 'Netwtw14', 'Wi-Fi'],
  desktop: ['Intel(R) Ethernet Connection (17) I219-LM', 'e1dn', 'Ethernet'],
  server: ['Broadcom NetXtreme E-Series Dual-port 25Gb', 'bnxtnd', 'Ethernet'],
  virtual: ['vmxnet3 Ethernet Adapter', 'vmxnet3ndis6', 'Ethernet'],
} as const

export function networkAdaptersOf({ plan, machine, epoch }: Moment): NetworkAdapter[] {
  const [description, serviceName, connectionType] = adapterNames[machine.model.kind]
  const ipAddress = ipAddressOf(plan, machine, epoch)
  const network = ipAddress.split('.').slice(0, 2).join('.')
  return [
    {
      serviceName,
      description,
      ipAddress,
      macAddress: machine.mac,
      subnetMask: '255.255.192.0',
      defaultGateway: `${network}.0.1`,
      dnsServer: `${network}.0.53, 10.1.0.53`,
      connectionType,
      isDhcp: !machine.isServer,
    },
  ]
}

const firewalls = { windows: 'Windows Firewall', linux: 'nftables', macos: 'Application Firewall' } as const
const dayMs = 86_400_000

export function securityOf({ plan, machine, since }: Moment): SecurityReport {
  const isWindows = machine.platform === 'windows'
  const isMac = machine.platform === 'macos'
  const isOutdated = isAmong(machine.number, 0.08, 11)
  const isOpen = isAmong(machine.number, 0.05, 12)
  const profile = isWindows ? !isOpen : null
  const draws = drawsOf(plan.seed, machine.number, 'security')
  const definitions = new Date(since - (isOutdated ? 20 : 1) * dayMs).toISOString()
  const hasAntivirus = isWindows || isMac || draws.happens(0.3)
  return {
    antivirus: {
      name: isWindows ? 'Microsoft Defender Antivirus' : isMac ? 'XProtect' : hasAntivirus ? 'ClamAV' : null,
      version: isWindows ? '4.18.24090.11' : isMac ? '5287' : hasAntivirus ? '1.0.7' : null,
      isEnabled: hasAntivirus ? !isAmong(machine.number, 0.03, 13) : null,
      isUpToDate: hasAntivirus ? !isOutdated : null,
      definitionsDateUtc: hasAntivirus ? definitions : null,
    },
    firewall: {
      name: firewalls[machine.platform],
      isEnabled: !isOpen,
      domainProfileEnabled: profile,
      privateProfileEnabled: profile,
      publicProfileEnabled: profile,
    },
    secureBoot: { isSupported: true, isEnabled: !isAmong(machine.number, 0.06, 14) },
    scriptPolicy: isWindows
      ? { name: 'PowerShell', policy: draws.pick(['RemoteSigned', 'RemoteSigned', 'AllSigned', 'Unrestricted']) }
      : { name: isMac ? 'Gatekeeper' : 'AppArmor', policy: 'Enabled' },
  }
}
