import { toName } from '@muster/schema'
import { type Adapter, toAdapters } from './networks.ts'
import { toMeaningfulSerial, toMeaningfulUuid } from './placeholders.ts'
import { entryOf, toText } from './values.ts'

/** What distinguishes a computer from others. */
export type Identity = {
  name: string | null
  domain: string
  isDomain: boolean
  uuid: string | null
  serialNumber: string | null
  macAddress: string | null
}

const defaultWorkgroup = 'WORKGROUP'

export function toIdentity(content: Record<string, unknown>): Identity {
  const [hardware, os] = [entryOf(content.hardware), entryOf(content.operatingsystem)]
  const [name = '', ...rest] = (toText(hardware.name) ?? toText(os.fqdn) ?? '').split('.')
  const fqdn = toText(os.fqdn) ?? ''
  const domain =
    toText(os.dns_domain) ??
    toText(rest.join('.')) ??
    toText(fqdn.split('.').slice(1).join('.')) ??
    toText(hardware.workgroup) ??
    defaultWorkgroup
  return {
    name: toText(toName(name)),
    domain: toName(domain),
    // Agents do not report whether the computer has joined a domain. Domain names contain dots, workgroups do not.
    isDomain: domain.includes('.'),
    uuid: toMeaningfulUuid(hardware.uuid),
    serialNumber: findSerialNumber(content),
    macAddress: findMainAdapter(toAdapters(content))?.macAddress ?? null,
  }
}

export function findSerialNumber(content: Record<string, unknown>): string | null {
  const bios = entryOf(content.bios)
  const candidates = [bios.ssn, bios.msn, bios.enclosureserial, bios.biosserial]
  return candidates.map(toMeaningfulSerial).find((serial) => serial !== null) ?? null
}

/**
 * The adapter with a gateway, otherwise one that is up, otherwise any physical one. A virtual one without a gateway counts
 * only if it is up with an address and there is nothing else: those of containers come and go, but the only adapter of a
 * virtual machine may be marked as virtual, too.
 */
export function findMainAdapter(adapters: readonly Adapter[]): Adapter | undefined {
  const addressed = adapters.filter(({ macAddress }) => macAddress !== null)
  const rank = ({ isVirtual, gateways, isUp, addresses }: Adapter) =>
    (isVirtual && gateways.length === 0 ? 0 : 16) +
    (isVirtual ? 0 : 8) +
    (gateways.length > 0 ? 4 : 0) +
    (isUp ? 2 : 0) +
    (addresses.length > 0 ? 1 : 0)
  return addressed
    .filter(
      ({ isVirtual, gateways, isUp, addresses }) => !isVirtual || gateways.length > 0 || (isUp && addresses.length > 0),
    )
    .toSorted((a, b) => rank(b) - rank(a))[0]
}

/** The MAC addresses of all physical adapters. */
export function listMacAddresses(content: Record<string, unknown>): string[] {
  return toAdapters(content).flatMap(({ isVirtual, macAddress }) => (isVirtual ? [] : (macAddress ?? [])))
}
