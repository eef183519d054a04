import { detectPlatform } from './operating-system.ts'
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
  const isVirtual = virtualityOf(content, entries)
  return [...byAdapter.values()].flatMap((group) => {
    const [first] = group
    if (!first) return []
    const addresses = toAddresses(group)
    return {
      driver: toText(first.driver),
      description: toText(first.description),
      macAddress: toMeaningfulMac(first.mac ?? first.macaddr),
      isVirtual: group.some(isVirtual),
      isUp: group.some((entry) => toText(entry.status)?.toLowerCase() === 'up'),
      isDhcp: group.some((entry) => toText(entry.ipdhcp) !== null),
      connectionType: toConnectionType(first),
      addresses: addresses.map(({ address }) => address),
      masks: addresses.flatMap(({ mask }) => mask ?? []),
      gateways: group
        .flatMap((entry) => toText(entry.ipgateway, 100) ?? [])
        .filter((gateway) => !isLocal(gateway) && !/^(0\.0\.0\.0|::)$/.test(gateway)),
    }
  })
}

/**
 * Which entries are virtual adapters. Old FusionInventory agents call every adapter of a Mac virtual; there, the
 * names of the physical ones begin with `en`.
 */
function virtualityOf(content: Entry, entries: readonly Entry[]): (entry: Entry) => boolean {
  const isMarked = ({ virtualdev }: Entry) => toBoolean(virtualdev) === true
  const isMac = detectPlatform(entryOf(content.operatingsystem), entryOf(content.hardware)) === 'macOS'
  if (!isMac || !entries.every(isMarked)) return isMarked
  return ({ description }) => !/^en\d+$/.test(toText(description) ?? '')
}

/**
 * The addresses of an adapter with their masks. IPv6 addresses change often, so they are used only without an IPv4
 * address. OCS agents send them in the same fields.
 */
function toAddresses(group: readonly Entry[]): { address: string; mask: string | null }[] {
  const all = group
    .flatMap(({ ipaddress, ipmask, ipaddress6, ipmask6 }) => [
      { address: toText(ipaddress, 100), mask: toText(ipmask, 100) },
      { address: toText(ipaddress6, 100), mask: toText(ipmask6, 100) },
    ])
    .flatMap(({ address, mask }) => (address === null || isLocal(address) ? [] : { address, mask }))
  const version4 = all.filter(({ address }) => !address.includes(':'))
  return version4.length > 0 ? version4 : all
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
