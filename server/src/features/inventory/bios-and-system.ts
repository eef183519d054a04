import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { computerNotFound } from '../computers/computers.ts'
import { nameMatches } from '../computers/reported-name.ts'
import { canonicalArchitecture } from '../computers/spellings.ts'

/** The firmware of a computer. Every property is null until an inventory has reported it. */
export async function requireBios(db: Database, computerId: number) {
  const found = await db
    .selectFrom('computers')
    .leftJoin('bios_records as bios', 'bios.computer_id', 'computers.id')
    .select([
      'bios.caption',
      'bios.manufacturer',
      'bios.sm_bios_version as smBiosVersion',
      'bios.serial_number as serialNumber',
      'bios.version',
      'bios.uuid',
    ])
    .where('computers.id', '=', computerId)
    .executeTakeFirst()
  if (!found) throw computerNotFound({ clientId: computerId })
  return found
}

/** Whether the inventory of a row of `computers` is of the system before the last installation. */
export const isOfPreviousSystem = sql<boolean>`coalesce(computers.inventory_at <= computers.os_installed_at, false)`

const systemColumns = [
  'system.fqdn',
  'system.operating_system as operatingSystem',
  'system.os_login as osLogin',
  'system.bit_version as bitVersion',
  'system.processor_name as processorName',
  'system.processor_count as processorCount',
  'system.processor_mhz as processorMhz',
  'system.bios_version as biosVersion',
  'system.bios_date as biosDate',
  'system.logged_on_user as loggedOnUser',
  'system.user_is_admin as userIsAdmin',
  'system.time_zone as timeZone',
  'system.display_adapter as displayAdapter',
  'system.screen_resolution as screenResolution',
  'system.vm_type as vmType',
] as const

/** What is known about a computer and its operating system. */
export async function requireSystemInfo(db: Database, computerId: number) {
  const found = await db
    .selectFrom('computers')
    .leftJoin('computer_contacts', 'computer_contacts.computer_id', 'computers.id')
    .leftJoin('agents', 'agents.computer_id', 'computers.id')
    .leftJoin('system_records as system', 'system.computer_id', 'computers.id')
    .select([
      'computers.id as clientId',
      'computers.name',
      'computers.domain',
      'computers.is_domain as isDomain',
      'computers.inventory_id as inventoryId',
      'computers.manufacturer',
      'computers.model',
      'computer_contacts.last_seen_at as lastSeenUtc',
      'computers.inventory_at as inventoryDate',
      isOfPreviousSystem.as('isOfPreviousSystem'),
      'computers.os_name as osName',
      'computers.os_edition as osEdition',
      'computers.os_version as osVersion',
      'computers.os_build as osBuild',
      'computers.platform',
      'computers.language',
      canonicalArchitecture('computers.architecture').as('architecture'),
      'computers.architecture as reportedArchitecture',
      'computers.memory_mb as memoryMb',
      sql<string | null>`coalesce(computers.reported_ip_address, computers.ip_address)`.as('ipAddress'),
      sql<number | null>`nullif(system.temp_dir_size_mb, 0)`.as('tempDirSizeMb'),
      sql<'Client' | 'DepotServer' | 'MasterServer'>`computers.role`.as('role'),
      sql<boolean>`agents.computer_id is not null`.as('agentInstalled'),
      'agents.version as agentVersion',
      nameMatches(sql.ref('system.fqdn')).as('nameMatches'),
      ...systemColumns,
    ])
    .where('computers.id', '=', computerId)
    .executeTakeFirst()
  if (!found) throw computerNotFound({ clientId: computerId })
  const { role, agentInstalled, agentVersion, nameMatches: isNameReported, ...info } = found
  return { ...info, management: { role, agentInstalled, agentVersion, nameMatches: isNameReported } }
}
