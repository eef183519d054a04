import type { Selectable } from 'kysely'
import type { Database } from '../../database/connect.ts'
import type { SecurityRecords } from '../../database/tables.ts'
import type { Static } from '../../platform/schema.ts'
import type { SystemReport } from './items.ts'
import type { SecurityReport } from './security-report.ts'

/** The stored content of the section `system`, in the form in which it was reported. */
export async function findStoredSystem(
  db: Database,
  computerId: number,
): Promise<Static<typeof SystemReport> | undefined> {
  return db
    .selectFrom('computers as c')
    .innerJoin('system_records as s', 's.computer_id', 'c.id')
    .where('c.id', '=', computerId)
    .select([
      's.fqdn',
      's.operating_system as operatingSystem',
      'c.os_name as osName',
      'c.os_edition as osEdition',
      'c.os_version as osVersion',
      'c.os_build as osBuild',
      's.os_login as osLogin',
      'c.platform',
      'c.language',
      'c.architecture',
      's.bit_version as bitVersion',
      's.processor_name as processorName',
      's.processor_count as processorCount',
      's.processor_mhz as processorMhz',
      'c.memory_mb as memoryMb',
      's.bios_version as biosVersion',
      's.bios_date as biosDate',
      'c.reported_ip_address as ipAddress',
      's.logged_on_user as loggedOnUser',
      's.user_is_admin as userIsAdmin',
      's.time_zone as timeZone',
      's.display_adapter as displayAdapter',
      's.screen_resolution as screenResolution',
      's.vm_type as vmType',
      's.temp_dir_size_mb as tempDirSizeMb',
    ])
    .executeTakeFirst()
}

/** The stored content of the section `security`, in the form in which it was reported. */
export async function findStoredSecurity(
  db: Database,
  computerId: number,
): Promise<Static<typeof SecurityReport> | undefined> {
  const stored = await db
    .selectFrom('security_records')
    .selectAll()
    .where('computer_id', '=', computerId)
    .executeTakeFirst()
  return stored && toSecurityReport(stored)
}

type SecurityColumns = Omit<Selectable<SecurityRecords>, 'computer_id'>

/** Columns of `security_records` as a report. All properties are null for a computer without a stored report. */
export function toSecurityReport(stored: SecurityColumns): Static<typeof SecurityReport> {
  return {
    antivirus: {
      name: stored.antivirus_name,
      version: stored.antivirus_version,
      isEnabled: stored.antivirus_enabled,
      isUpToDate: stored.antivirus_up_to_date,
      definitionsDateUtc: stored.antivirus_definitions_at,
    },
    firewall: {
      name: stored.firewall_name,
      isEnabled: stored.firewall_enabled,
      domainProfileEnabled: stored.firewall_domain_enabled,
      privateProfileEnabled: stored.firewall_private_enabled,
      publicProfileEnabled: stored.firewall_public_enabled,
    },
    secureBoot: { isSupported: stored.secure_boot_supported, isEnabled: stored.secure_boot_enabled },
    scriptPolicy: { name: stored.script_policy_name, policy: stored.script_policy },
  }
}
