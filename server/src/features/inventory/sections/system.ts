import { sql } from 'kysely'
import { SystemReport } from '../items.ts'
import { objectSection, recordChanges } from './section.ts'

const containers = '^(docker|podman|lxc|lxd|openvz|virtuozzo|systemd-nspawn|container|wsl|bsdjail)'

export const systemSection = objectSection('system', SystemReport, (computerId, report) => ({
  computer: {
    os_name: sql`${report.osName}::text`,
    os_edition: sql`${report.osEdition}::text`,
    os_version: sql`${report.osVersion}::text`,
    os_build: sql`${report.osBuild}::text`,
    platform: sql`${report.platform}::text`,
    language: sql`${report.language}::text`,
    architecture: sql`${report.architecture}::text`,
    memory_mb: sql`${report.memoryMb}::integer`,
    // A container has no firmware that could boot from the network. Of all others, only people know it.
    pxe_support: sql`pxe_support and not coalesce(${report.vmType}::text ~* ${containers}, false)`,
    reported_ip_address: sql`coalesce(${report.ipAddress}, reported_ip_address)`,
  },
  ctes: recordChanges('system_records', computerId, {
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
  }),
}))
