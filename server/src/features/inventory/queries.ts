import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { computerNotFound } from '../computers/computers.ts'

export async function biosOf(db: Database, computerId: number) {
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

const told = [
  'told.fqdn',
  'told.operating_system as operatingSystem',
  'told.os_login as osLogin',
  'told.bit_version as bitVersion',
  'told.processor_name as processorName',
  'told.processor_count as processorCount',
  'told.processor_mhz as processorMhz',
  'told.bios_version as biosVersion',
  'told.bios_date as biosDate',
  'told.logged_on_user as loggedOnUser',
  'told.user_is_admin as userIsAdmin',
  'told.time_zone as timeZone',
  'told.display_adapter as displayAdapter',
  'told.screen_resolution as screenResolution',
  'told.vm_type as vmType',
] as const

export async function systemInfoOf(db: Database, computerId: number) {
  const found = await db
    .selectFrom('computers')
    .leftJoin('computer_contacts', 'computer_contacts.computer_id', 'computers.id')
    .leftJoin('agents', 'agents.computer_id', 'computers.id')
    .leftJoin('system_records as told', 'told.computer_id', 'computers.id')
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
      'computers.os_name as osName',
      'computers.os_edition as osEdition',
      'computers.os_version as osVersion',
      'computers.os_build as osBuild',
      'computers.platform',
      'computers.language',
      'computers.architecture',
      'computers.memory_mb as memoryMb',
      sql<string | null>`coalesce(computers.reported_ip_address, computers.ip_address)`.as('ipAddress'),
      sql<number | null>`nullif(told.temp_dir_size_mb, 0)`.as('tempDirSizeMb'),
      sql<'Client' | 'DepotServer' | 'MasterServer'>`computers.role`.as('role'),
      sql<boolean>`agents.computer_id is not null`.as('agentInstalled'),
      'agents.version as agentVersion',
      ...told,
    ])
    .where('computers.id', '=', computerId)
    .executeTakeFirst()
  if (!found) throw computerNotFound({ clientId: computerId })
  const { role, agentInstalled, agentVersion, ...info } = found
  return { ...info, management: { role, agentInstalled, agentVersion } }
}
