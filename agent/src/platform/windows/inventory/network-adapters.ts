import type { WmiRow } from '../wmi/wmi.ts'
import { questions } from './questions.ts'
import type { WindowsSources } from './sources.ts'
import { listed, numberOf, textOf, textsOf } from './values.ts'

export type AdapterRows = { adapters: WmiRow[]; addresses: WmiRow[]; media: WmiRow[] }

export async function collectNetworkAdapters(sources: WindowsSources) {
  const [adapters, addresses] = [await sources.rows(questions.adapters), await sources.rows(questions.addresses)]
  if (!adapters || !addresses) return undefined
  return { items: toNetworkAdapters({ adapters, addresses, media: (await sources.rows(questions.media)) ?? [] }) }
}

/** Physical adapters, and others through which a default route leads. Those of tunnels and containers come and go. */
export function toNetworkAdapters({ adapters, addresses, media }: AdapterRows) {
  return adapters.flatMap((adapter) => {
    const own = addresses.find(({ Index }) => Index === adapter.Index)
    const gateways = textsOf(own?.DefaultIPGateway)
    if (adapter.PhysicalAdapter !== true && gateways.length === 0) return []
    const [ipAddress, subnetMask] = reachable(textsOf(own?.IPAddress), textsOf(own?.IPSubnet))
    return {
      serviceName: textOf(adapter.ServiceName),
      description: textOf(adapter.Name),
      ipAddress,
      macAddress: textOf(adapter.MACAddress, 64)?.toUpperCase() ?? null,
      subnetMask,
      defaultGateway: listed(gateways),
      dnsServer: listed(textsOf(own?.DNSServerSearchOrder)),
      connectionType: connectionType(adapter, media),
      isDhcp: own?.DHCPEnabled === true,
    }
  })
}

/** Masks are listed in the order of the addresses. Addresses of IPv6 count only if there are no others. */
function reachable(addresses: readonly string[], masks: readonly string[]): [string | null, string | null] {
  const pairs = addresses.map((address, index) => ({ address, mask: masks[index] ?? '' }))
  const first = pairs.filter(({ address }) => !address.includes(':'))
  const chosen = first.length > 0 ? first : pairs.filter(({ address }) => !/^fe[89ab]/i.test(address))
  return [listed(chosen.map(({ address }) => address)), listed(chosen.map(({ mask }) => mask).filter(Boolean))]
}

/** The physical media of NDIS by number. */
const mediumNames: Record<number, string> = { 1: 'Wi-Fi', 8: 'Mobile', 9: 'Wi-Fi', 10: 'Bluetooth', 14: 'Ethernet' }
const ethernetAdapter = 0
const wirelessAdapter = 9

function connectionType(adapter: WmiRow, media: readonly WmiRow[]): string {
  const medium = media.find(({ InterfaceIndex }) => InterfaceIndex === adapter.InterfaceIndex)
  const known = mediumNames[numberOf(medium?.NdisPhysicalMedium) ?? -1]
  if (known) return known
  if (adapter.AdapterTypeId === wirelessAdapter) return 'Wi-Fi'
  return adapter.AdapterTypeId === ethernetAdapter ? 'Ethernet' : 'Other'
}

/** The address of the adapter with the preferred default route, otherwise the first one. */
export function mainAddress(routes: readonly WmiRow[], { adapters, addresses }: Omit<AdapterRows, 'media'>) {
  const [route] = routes.toSorted((a, b) => (numberOf(a.Metric1) ?? 0) - (numberOf(b.Metric1) ?? 0))
  const leading = adapters.find(({ InterfaceIndex }) => InterfaceIndex === route?.InterfaceIndex)
  const own = addresses.filter(({ Index }) => leading !== undefined && Index === leading.Index)
  const all = [...own, ...addresses].flatMap((row) => textsOf(row.IPAddress))
  const outside = all.filter((address) => !/^(127\.|169\.254\.|::1$|fe[89ab])/i.test(address))
  return {
    ipAddress: outside.find((address) => !address.includes(':')) ?? outside[0] ?? null,
    macAddress: textOf(leading?.MACAddress, 64)?.toUpperCase() ?? null,
  }
}
