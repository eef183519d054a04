import type { NetworkInterfaceInfo } from 'node:os'
import { basename } from 'node:path'
import { cleanText } from '../../common/texts.ts'
import { defaultRoutes, type Route } from './default-route.ts'
import { openPciNames, type PciNames } from './pci-names.ts'
import type { SystemAccess } from './system-access.ts'

const devices = '/sys/class/net'

type Surroundings = { routes: Route[]; dynamic: Set<string>; nameServers: string | null; pciNames: PciNames }

export async function collectNetworkAdapters(system: SystemAccess) {
  const surroundings: Surroundings = {
    routes: await defaultRoutes(system),
    dynamic: await dynamicDevices(system),
    nameServers: await nameServers(system),
    pciNames: await openPciNames(system),
  }
  const names = await system.names(devices)
  const items = await Promise.all(names.map((name) => adapter(system, name, surroundings)))
  return { items: items.filter((item) => item !== undefined) }
}

/** Physical devices, and virtual ones with a default route. Container bridges come and go and are left out. */
async function adapter(system: SystemAccess, name: string, around: Surroundings) {
  const gateways = around.routes.filter(({ device }) => device === name).map(({ gateway }) => gateway)
  const hardware = await system.target(`${devices}/${name}/device`)
  if (!hardware && gateways.length === 0) return undefined
  const addresses = reachable(system.addresses()[name] ?? [])
  const driver = await system.target(`${devices}/${name}/device/driver`)
  const mac = await system.text(`${devices}/${name}/address`)
  return {
    serviceName: driver ? cleanText(basename(driver)) : null,
    description: cleanText([await around.pciNames.deviceAt(hardware), name].filter(Boolean).join(' ')),
    ipAddress: listed(addresses.map(({ address }) => address)),
    macAddress: mac && !/^[0:]*$/.test(mac) ? cleanText(mac.toUpperCase(), 64) : null,
    subnetMask: listed(addresses.map(({ netmask }) => netmask)),
    defaultGateway: listed(gateways),
    dnsServer: gateways.length > 0 ? around.nameServers : null,
    connectionType: await connectionType(system, name),
    isDhcp: around.dynamic.has(name),
  }
}

/** Prefers stable addresses: temporary ones change by themselves and count only if there are no others. */
function reachable(addresses: readonly NetworkInterfaceInfo[]): readonly NetworkInterfaceInfo[] {
  const first = addresses.filter(({ family }) => family === 'IPv4')
  return first.length > 0 ? first : addresses.filter(({ address }) => !/^fe[89ab]/i.test(address))
}

function listed(texts: readonly string[]): string | null {
  return cleanText([...new Set(texts)].join(', '), 1000)
}

async function connectionType(system: SystemAccess, name: string): Promise<string> {
  if ((await system.names(`${devices}/${name}/wireless`)).length > 0) return 'Wi-Fi'
  if (await system.target(`${devices}/${name}/phy80211`)) return 'Wi-Fi'
  return (await system.text(`${devices}/${name}/type`)) === '1' ? 'Ethernet' : 'Other'
}

/** Addresses from DHCP have a limited lifetime in the kernel; static ones do not. */
async function dynamicDevices(system: SystemAccess): Promise<Set<string>> {
  const text = await system.output('ip', '-j', '-4', 'addr', 'show', 'dynamic')
  const entries = parsed(text) as { ifname?: string; addr_info?: unknown[] }[]
  return new Set(entries.flatMap(({ ifname, addr_info }) => (ifname && addr_info?.length ? [ifname] : [])))
}

function parsed(text: string | undefined): unknown[] {
  try {
    const value: unknown = JSON.parse(text || '[]')
    return Array.isArray(value) ? value : []
  } catch {
    return []
  }
}

async function nameServers(system: SystemAccess): Promise<string | null> {
  const servers = async (path: string) =>
    [...((await system.text(path)) ?? '').matchAll(/^nameserver\s+(\S+)/gm)].map(([, server]) => server ?? '')
  const own = await servers('/etc/resolv.conf')
  // systemd-resolved lists the actual servers in another file.
  const real = own.every((server) => server.startsWith('127.')) ? await servers('/run/systemd/resolve/resolv.conf') : []
  return listed(real.length > 0 ? real : own)
}
