import { toMeaningfulMac } from './placeholders.ts'
import { type Entry, entriesOf, entryOf, joinTexts, toBoolean, toText } from './values.ts'

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

/** Merges the entries of agents, which send one for each address, into one for each adapter. */
export function toAdapters(content: Entry): Adapter[] {
  const entries = entriesOf(content.networks).filter((entry) => toText(entry.type)?.toLowerCase() !== 'loopback')
  const byAdapter = Map.groupBy(
    entries,
    (entry) => `${toText(entry.description)} ${toText(entry.mac ?? entry.macaddr)}`,
  )
  return [...byAdapter.values()].flatMap((group) => {
    const [first] = group
    if (!first) return []
    const valuesOf = (...names: string[]) =>
      group.flatMap((entry) => names.flatMap((name) => toText(entry[name], 100) ?? [])).filter((text) => !isLocal(text))
    return {
      driver: toText(first.driver),
      description: toText(first.description),
      macAddress: toMeaningfulMac(first.mac ?? first.macaddr),
      isVirtual: group.some((entry) => toBoolean(entry.virtualdev) === true),
      isUp: group.some((entry) => toText(entry.status)?.toLowerCase() === 'up'),
      isDhcp: group.some((entry) => toText(entry.ipdhcp) !== null),
      connectionType: toConnectionType(first),
      // IPv6 addresses change often, so they are used only without an IPv4 address.
      ...(valuesOf('ipaddress').length > 0
        ? { addresses: valuesOf('ipaddress'), masks: valuesOf('ipmask') }
        : { addresses: valuesOf('ipaddress6'), masks: valuesOf('ipmask6') }),
      gateways: valuesOf('ipgateway').filter((gateway) => !/^(0\.0\.0\.0|::)$/.test(gateway)),
    }
  })
}

function isLocal(address: string): boolean {
  return /^(127\.|::1$|fe[89ab][\da-f]:)/i.test(address)
}

function toConnectionType({ type, wifi_ssid }: Entry): string | null {
  const text = toText(type, 100)
  if (toText(wifi_ssid) !== null || /^(wifi|wireless|airport)/i.test(text ?? '')) return 'Wi-Fi'
  return text === null || text.toLowerCase() === 'ethernet' ? 'Ethernet' : text
}

/** Physical adapters, and virtual ones with a gateway. Other virtual adapters, such as bridges of containers, come and go. */
export function toNetworkAdapters(content: Entry) {
  const nameServers = toText(entryOf(content.hardware).dns, 1000)?.replaceAll('/', ', ') ?? null
  return toAdapters(content)
    .filter(({ isVirtual, gateways }) => !isVirtual || gateways.length > 0)
    .map(({ driver, description, macAddress, connectionType, isDhcp, addresses, masks, gateways }) => ({
      serviceName: driver,
      description,
      ipAddress: joinTexts(addresses),
      macAddress,
      subnetMask: joinTexts(masks),
      defaultGateway: joinTexts(gateways),
      dnsServer: gateways.length > 0 ? nameServers : null,
      connectionType,
      isDhcp,
    }))
}
