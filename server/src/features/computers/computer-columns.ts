import { isIPv4 } from 'node:net'
import type { Updateable } from 'kysely'
import type { Computers } from '../../database/tables.ts'
import { formatMacAddress } from '../../platform/mac-address.ts'
import { invalidPart } from '../../platform/validation.ts'
import type { ComputerPatch } from './api/schemas.ts'
import { emptyUuid } from './computer-uuid.ts'

const macAddress = /^[\da-f]{2}([:.-]?[\da-f]{2}){5}$/i

type ComputerColumns = Pick<
  Updateable<Computers>,
  | 'name'
  | 'domain'
  | 'is_domain'
  | 'pxe_support'
  | 'inventory_id'
  | 'mac_address'
  | 'uuid'
  | 'ip_address'
  | 'subnet_mask'
  | 'standard_gateway'
>

/** The columns that a request changes. A property that is missing or null is left out; an empty text becomes null. */
export function toComputerColumns(request: ComputerPatch): ComputerColumns {
  requireWellFormed(request)
  const columns = {
    name: request.name ?? undefined,
    domain: request.domain ?? undefined,
    is_domain: request.isDomain ?? undefined,
    pxe_support: request.pxeSupport ?? undefined,
    inventory_id: emptyToNull(request.inventoryId),
    mac_address: emptyToNull(request.macAddress && formatMacAddress(request.macAddress)),
    uuid: emptyToNull(request.uuid),
    ip_address: emptyToNull(request.ipAddress),
    subnet_mask: emptyToNull(request.subnetMask),
    standard_gateway: emptyToNull(request.standardGateway),
  }
  return Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined))
}

function emptyToNull(value: string | null | undefined): string | null | undefined {
  return value === '' || value === emptyUuid ? null : (value ?? undefined)
}

/** Checks each property by itself. Rules across properties are in `requireConsistentComputer`. */
function requireWellFormed(request: ComputerPatch): void {
  for (const name of ['name', 'domain'] as const)
    if (request[name] === '') throw invalidPart('body', name, 'must not be empty')
  if (request.macAddress && !macAddress.test(request.macAddress))
    throw invalidPart('body', 'macAddress', 'must be twelve hexadecimal digits, with or without separators')
  for (const name of ['ipAddress', 'subnetMask', 'standardGateway'] as const)
    if (request[name] && !isIPv4(request[name])) throw invalidPart('body', name, 'must be an IPv4 address')
  if (request.subnetMask && !isSubnetMask(request.subnetMask))
    throw invalidPart('body', 'subnetMask', 'must be a subnet mask')
}

/** In binary, a subnet mask is one or more ones followed by zeros. */
const isSubnetMask = (address: string) => /^1+0*$/.test(bitsOf(address))

function bitsOf(address: string): string {
  return address
    .split('.')
    .map((part) => Number(part).toString(2).padStart(8, '0'))
    .join('')
}

/** With a gateway outside of its subnet, a computer reaches nothing else, and nobody could repair it over the network. */
export function requireGatewayInSubnet({ ip_address, subnet_mask, standard_gateway }: ComputerColumns): void {
  if (!ip_address || !subnet_mask || !standard_gateway) return
  const networkBits = bitsOf(subnet_mask).lastIndexOf('1') + 1
  const networkOf = (address: string) => bitsOf(address).slice(0, networkBits)
  if (networkOf(standard_gateway) !== networkOf(ip_address))
    throw invalidPart('body', 'standardGateway', 'is not in the subnet of the ipAddress')
}

/** Checks the rules across properties, for a new computer or for one with the changes applied. */
export function requireConsistentComputer(computer: ComputerColumns): void {
  if (!computer.mac_address && !computer.uuid)
    throw invalidPart('body', 'macAddress', 'is required unless a uuid other than the empty one is given')
  if (computer.ip_address && !computer.subnet_mask)
    throw invalidPart('body', 'subnetMask', 'is required with an ipAddress')
  if (!computer.ip_address && computer.subnet_mask) throw invalidPart('body', 'subnetMask', 'requires an ipAddress')
  if (!computer.ip_address && computer.standard_gateway)
    throw invalidPart('body', 'standardGateway', 'requires an ipAddress')
}
