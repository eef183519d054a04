import { isIPv4 } from 'node:net'
import type { Updateable } from 'kysely'
import type { Computers } from '../../database/tables.ts'
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

/** What a request wants to write: nothing for a field that is left out or null, null for one that is empty. */
export function wantedColumns(request: ComputerPatch): ComputerColumns {
  requireWellFormed(request)
  const wanted = {
    name: request.name?.trim(),
    domain: request.domain?.trim(),
    is_domain: request.isDomain ?? undefined,
    pxe_support: request.pxeSupport ?? undefined,
    inventory_id: clearable(request.inventoryId),
    mac_address: clearable(request.macAddress),
    uuid: clearable(request.uuid),
    ip_address: clearable(request.ipAddress),
    subnet_mask: clearable(request.subnetMask),
    standard_gateway: clearable(request.standardGateway),
  }
  return Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined))
}

function clearable(value: string | null | undefined): string | null | undefined {
  return value === '' || value === emptyUuid ? null : (value ?? undefined)
}

/** Refuses values that are wrong whatever else the computer has. */
function requireWellFormed(request: ComputerPatch): void {
  for (const name of ['name', 'domain'] as const)
    if (request[name]?.trim() === '') throw invalidPart('body', name, 'must not be empty')
  if (request.macAddress && !macAddress.test(request.macAddress))
    throw invalidPart('body', 'macAddress', 'must be twelve hexadecimal digits, with or without separators')
  for (const name of ['ipAddress', 'subnetMask', 'standardGateway'] as const)
    if (request[name] && !isIPv4(request[name])) throw invalidPart('body', name, 'must be an IPv4 address')
  if (request.subnetMask && !isSubnetMask(request.subnetMask))
    throw invalidPart('body', 'subnetMask', 'must be a subnet mask')
}

/** Ones followed by zeros, and at least one of the ones. */
function isSubnetMask(address: string): boolean {
  const bits = address
    .split('.')
    .map((part) => Number(part).toString(2).padStart(8, '0'))
    .join('')
  return /^1+0*$/.test(bits)
}

/** The rules for a computer as a whole, new or changed. */
export function requireConsistent(computer: ComputerColumns): void {
  if (!computer.mac_address && !computer.uuid)
    throw invalidPart('body', 'macAddress', 'or a uuid that is not empty is required')
  if (computer.ip_address && !computer.subnet_mask)
    throw invalidPart('body', 'subnetMask', 'is required with an ipAddress')
  if (!computer.ip_address && computer.subnet_mask)
    throw invalidPart('body', 'subnetMask', 'must not be given without an ipAddress')
  if (!computer.ip_address && computer.standard_gateway)
    throw invalidPart('body', 'standardGateway', 'must not be given without an ipAddress')
}
