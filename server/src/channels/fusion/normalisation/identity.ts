import { type Adapter, adaptersOf } from './networks.ts'
import { meaningfulSerial, meaningfulUuid } from './placeholders.ts'
import { entryOf, told } from './values.ts'

/** By what a computer is told from others. */
export type Identity = {
  name: string | null
  domain: string
  isDomain: boolean
  uuid: string | null
  serialNumber: string | null
  macAddress: string | null
}

const noDomain = 'WORKGROUP'

export function identityOf(content: Record<string, unknown>): Identity {
  const [hardware, os] = [entryOf(content.hardware), entryOf(content.operatingsystem)]
  const [name = '', ...rest] = (told(hardware.name) ?? told(os.fqdn) ?? '').split('.')
  const fqdn = told(os.fqdn) ?? ''
  const domain =
    told(os.dns_domain) ??
    told(rest.join('.')) ??
    told(fqdn.split('.').slice(1).join('.')) ??
    told(hardware.workgroup) ??
    noDomain
  return {
    name: told(name),
    domain,
    // No agent says whether the computer has joined; names of domains have dots.
    isDomain: domain.includes('.'),
    uuid: meaningfulUuid(hardware.uuid),
    serialNumber: serialNumberOf(content),
    macAddress: mainAdapter(adaptersOf(content))?.macAddress ?? null,
  }
}

export function serialNumberOf(content: Record<string, unknown>): string | null {
  const bios = entryOf(content.bios)
  const told = [bios.ssn, bios.msn, bios.enclosureserial, bios.biosserial]
  return told.map(meaningfulSerial).find((serial) => serial !== null) ?? null
}

/** That which leads out, or else one that is up, or else any that is real. */
export function mainAdapter(adapters: readonly Adapter[]): Adapter | undefined {
  const known = adapters.filter(({ macAddress }) => macAddress !== null)
  const rank = ({ isVirtual, gateways, isUp, addresses }: Adapter) =>
    (isVirtual ? 0 : 8) + (gateways.length > 0 ? 4 : 0) + (isUp ? 2 : 0) + (addresses.length > 0 ? 1 : 0)
  return known
    .filter(({ isVirtual, gateways }) => !isVirtual || gateways.length > 0)
    .toSorted((a, b) => rank(b) - rank(a))[0]
}

/** Of all adapters that are real. */
export function macAddressesOf(content: Record<string, unknown>): string[] {
  return adaptersOf(content).flatMap(({ isVirtual, macAddress }) => (isVirtual ? [] : (macAddress ?? [])))
}
