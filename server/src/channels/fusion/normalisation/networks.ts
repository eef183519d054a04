import { meaningfulMac } from './placeholders.ts'
import { type Entry, entriesOf, entryOf, listed, told, yesNo } from './values.ts'

export type Adapter = {
  driver: string | null
  description: string | null
  macAddress: string | null
  isVirtual: boolean
  isUp: boolean
  isDhcp: boolean
  connectionType: string | null
  addresses: string[]
  masks: string[]
  gateways: string[]
}

/** Agents send one entry for each address; here each adapter stands once. */
export function adaptersOf(content: Entry): Adapter[] {
  const entries = entriesOf(content.networks).filter((entry) => told(entry.type)?.toLowerCase() !== 'loopback')
  const byAdapter = Map.groupBy(entries, (entry) => `${told(entry.description)} ${told(entry.mac ?? entry.macaddr)}`)
  return [...byAdapter.values()].flatMap((group) => {
    const [first] = group
    if (!first) return []
    const all = (...names: string[]) =>
      group.flatMap((entry) => names.flatMap((name) => told(entry[name], 100) ?? [])).filter((text) => !isLocal(text))
    return {
      driver: told(first.driver),
      description: told(first.description),
      macAddress: meaningfulMac(first.mac ?? first.macaddr),
      isVirtual: group.some((entry) => yesNo(entry.virtualdev) === true),
      isUp: group.some((entry) => told(entry.status)?.toLowerCase() === 'up'),
      isDhcp: group.some((entry) => told(entry.ipdhcp) !== null),
      connectionType: connectionType(first),
      // The second kind changes by itself, and counts only where there is no other.
      ...(all('ipaddress').length > 0
        ? { addresses: all('ipaddress'), masks: all('ipmask') }
        : { addresses: all('ipaddress6'), masks: all('ipmask6') }),
      gateways: all('ipgateway').filter((gateway) => !/^(0\.0\.0\.0|::)$/.test(gateway)),
    }
  })
}

function isLocal(address: string): boolean {
  return /^(127\.|::1$|fe[89ab][\da-f]:)/i.test(address)
}

function connectionType({ type, wifi_ssid }: Entry): string | null {
  const told_ = told(type, 100)
  if (told(wifi_ssid) !== null || /^(wifi|wireless|airport)/i.test(told_ ?? '')) return 'Wi-Fi'
  return told_ === null || told_.toLowerCase() === 'ethernet' ? 'Ethernet' : told_
}

/** Real adapters, and of the others those that lead out: bridges of containers come and go. */
export function networkAdapters(content: Entry) {
  const nameServers = told(entryOf(content.hardware).dns, 1000)?.replaceAll('/', ', ') ?? null
  return adaptersOf(content)
    .filter(({ isVirtual, gateways }) => !isVirtual || gateways.length > 0)
    .map(({ driver, description, macAddress, connectionType, isDhcp, addresses, masks, gateways }) => ({
      serviceName: driver,
      description,
      ipAddress: listed(addresses),
      macAddress,
      subnetMask: listed(masks),
      defaultGateway: listed(gateways),
      dnsServer: gateways.length > 0 ? nameServers : null,
      connectionType,
      isDhcp,
    }))
}
