import { SystemReport } from '../items.ts'
import { objectSection } from './section.ts'

export const systemSection = objectSection('system', SystemReport, async (db, computerId, report) => {
  await db
    .updateTable('computers')
    .set({
      os_name: report.osName,
      os_edition: report.osEdition,
      os_version: report.osVersion,
      os_build: report.osBuild,
      platform: report.platform,
      language: report.language,
      architecture: report.architecture,
      memory_mb: report.memoryMb,
      ...(report.ipAddress !== null && { reported_ip_address: report.ipAddress }),
    })
    .where('id', '=', computerId)
    .execute()
  const columns = {
    fqdn: report.fqdn,
    operating_system: report.operatingSystem,
    os_login: report.osLogin,
    bit_version: report.bitVersion,
    processor_name: report.processorName,
    processor_count: report.processorCount,
    processor_mhz: report.processorMhz,
    bios_version: report.biosVersion,
    bios_date: report.biosDate,
    logged_on_user: report.loggedOnUser,
    user_is_admin: report.userIsAdmin,
    time_zone: report.timeZone,
    display_adapter: report.displayAdapter,
    screen_resolution: report.screenResolution,
    vm_type: report.vmType,
    temp_dir_size_mb: report.tempDirSizeMb,
  }
  await db
    .insertInto('system_records')
    .values({ computer_id: computerId, ...columns })
    .onConflict((conflict) => conflict.column('computer_id').doUpdateSet(columns))
    .execute()
})
