import type { Database } from '../../../database/connect.ts'
import { type NormalSection, recordSection, type WholeSection } from '../normalisation/normalise.ts'
import { unknownSecurity } from '../normalisation/security.ts'
import { unknownSystem } from '../normalisation/system.ts'

/** Puts what a partial report says on what is stored. */
export async function completeSection(db: Database, computerId: number, section: NormalSection): Promise<WholeSection> {
  const { name, hash, content } = section
  if (hash !== null) return { ...section, hash }
  const stored = name === 'system' ? await storedSystem(db, computerId) : await storedSecurity(db, computerId)
  return recordSection(name, { ...stored, ...JSON.parse(content) })
}

async function storedSystem(db: Database, computerId: number): Promise<typeof unknownSystem> {
  const stored = await db
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
  // In the order of the properties in which a whole report has them, on which its hash depends.
  return { ...unknownSystem, ...stored }
}

async function storedSecurity(db: Database, computerId: number): Promise<typeof unknownSecurity> {
  const stored = await db
    .selectFrom('security_records')
    .selectAll()
    .where('computer_id', '=', computerId)
    .executeTakeFirst()
  if (!stored) return unknownSecurity
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
