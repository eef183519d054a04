import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'

// The hardware lists of one computer. Each row has its position in the report.

export function diskRows(db: Database, computerId: number) {
  return db
    .selectFrom('disk_drives')
    .select([
      'position',
      'volume',
      'drive_type_code as driveTypeCode',
      sql<'Unknown' | 'NoRootDirectory' | 'Removable' | 'Fixed' | 'Network' | 'CDRom' | 'Ram'>`
        coalesce((array['NoRootDirectory', 'Removable', 'Fixed', 'Network', 'CDRom', 'Ram'])[drive_type_code], 'Unknown')
      `.as('driveTypeName'),
      'total_space_gb as totalSpaceGb',
      'free_space_gb as freeSpaceGb',
      // A disk that reports more free space than it has counts as empty.
      sql<number | null>`case when free_percent is not null
        then greatest(0, round((100 - free_percent)::numeric, 1))::double precision end`.as('usedPercent'),
      'label',
      sql<'Encrypted' | 'Unencrypted' | 'NotAvailable'>`bitlocker_status`.as('bitlockerStatus'),
      'bitlocker_key_protectors as bitlockerKeyProtectors',
    ])
    .where('computer_id', '=', computerId)
}

export function batteryRows(db: Database, computerId: number) {
  return db
    .selectFrom('batteries')
    .select([
      'position',
      'name',
      'chemistry',
      'device_id as deviceId',
      'battery_status as batteryStatus',
      'designed_capacity_mwh as designedCapacityMwh',
      'full_charged_capacity_mwh as fullChargedCapacityMwh',
      'remaining_capacity_percent as remainingCapacityPercent',
      'health_percent as healthPercent',
    ])
    .where('computer_id', '=', computerId)
}

export function networkAdapterRows(db: Database, computerId: number) {
  return db
    .selectFrom('network_adapters')
    .select([
      'position',
      'service_name as serviceName',
      'description',
      'ip_address as ipAddress',
      'mac_address as macAddress',
      'subnet_mask as subnetMask',
      'default_gateway as defaultGateway',
      'dns_server as dnsServer',
      'connection_type as connectionType',
      'is_dhcp as isDhcp',
    ])
    .where('computer_id', '=', computerId)
}

export function printerRows(db: Database, computerId: number) {
  return db
    .selectFrom('printers')
    .select([
      'position',
      'name',
      'port',
      'share_name as shareName',
      'driver_name as driverName',
      'driver_version as driverVersion',
      'comment',
      'caption',
      'capability_descriptions as capabilityDescriptions',
      'is_network_printer as isNetworkPrinter',
      'is_default as isDefault',
      'horizontal_resolution as horizontalResolution',
      'vertical_resolution as verticalResolution',
    ])
    .where('computer_id', '=', computerId)
}

export function videoControllerRows(db: Database, computerId: number) {
  return db
    .selectFrom('video_controllers')
    .select([
      'position',
      'name',
      'adapter_compatibility as adapterCompatibility',
      'adapter_ram as adapterRam',
      'video_processor as videoProcessor',
      'video_mode_description as videoModeDescription',
      'current_refresh_rate as currentRefreshRate',
    ])
    .where('computer_id', '=', computerId)
}

export function monitorRows(db: Database, computerId: number) {
  return db
    .selectFrom('desktop_monitors')
    .select([
      'position',
      'caption',
      'manufacturer',
      'monitor_type as monitorType',
      'monitor_name as monitorName',
      'serial_number as serialNumber',
      'vendor_id as vendorId',
      'monitor_size as monitorSize',
      'screen_width as screenWidth',
      'screen_height as screenHeight',
      'pixels_per_x_logical_inch as pixelsPerXLogicalInch',
      'pixels_per_y_logical_inch as pixelsPerYLogicalInch',
      sql<number | null>`nullif(manufacturing_year, 0)`.as('manufacturingYear'),
      sql<number | null>`nullif(manufacturing_week, 0)`.as('manufacturingWeek'),
    ])
    .where('computer_id', '=', computerId)
}

export function processorRows(db: Database, computerId: number) {
  return db
    .selectFrom('processors')
    .select([
      'position',
      'name',
      'manufacturer',
      'processor_id as processorId',
      'number_of_cores as numberOfCores',
      'number_of_logical_processors as numberOfLogicalProcessors',
      'max_clock_speed_mhz as maxClockSpeedMhz',
      'current_clock_speed_mhz as currentClockSpeedMhz',
    ])
    .where('computer_id', '=', computerId)
}
