import { BatteryReport } from '../items.ts'
import { hardwareSection } from './section.ts'

export const batteriesSection = hardwareSection('batteries', BatteryReport, 'batteries', (battery) => ({
  name: battery.name,
  chemistry: battery.chemistry,
  device_id: battery.deviceId,
  battery_status: battery.batteryStatus,
  designed_capacity_mwh: battery.designedCapacityMwh,
  full_charged_capacity_mwh: battery.fullChargedCapacityMwh,
  remaining_capacity_percent: battery.remainingCapacityPercent,
}))
