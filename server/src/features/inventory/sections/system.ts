import { SystemReport } from '../items.ts'
import { recordSection } from './section.ts'

export const system = recordSection('system', SystemReport, async (db, computerId, told) => {
  await db
    .updateTable('computers')
    .set({
      os_name: told.osName,
      os_edition: told.osEdition,
      os_version: told.osVersion,
      os_build: told.osBuild,
      platform: told.platform,
      language: told.language,
      architecture: told.architecture,
      memory_mb: told.memoryMb,
      ...(told.ipAddress !== null && { reported_ip_address: told.ipAddress }),
    })
    .where('id', '=', computerId)
    .execute()
  const columns = {
    fqdn: told.fqdn,
    operating_system: told.operatingSystem,
    os_login: told.osLogin,
    bit_version: told.bitVersion,
    processor_name: told.processorName,
    processor_count: told.processorCount,
    processor_mhz: told.processorMhz,
    bios_version: told.biosVersion,
    bios_date: told.biosDate,
    logged_on_user: told.loggedOnUser,
    user_is_admin: told.userIsAdmin,
    time_zone: told.timeZone,
    display_adapter: told.displayAdapter,
    screen_resolution: told.screenResolution,
    vm_type: told.vmType,
    temp_dir_size_mb: told.tempDirSizeMb,
  }
  await db
    .insertInto('system_records')
    .values({ computer_id: computerId, ...columns })
    .onConflict((conflict) => conflict.column('computer_id').doUpdateSet(columns))
    .execute()
})
