import { DesktopMonitor } from '../items.ts'
import { hardwareSection } from './section.ts'

export const monitorsSection = hardwareSection('monitors', DesktopMonitor, 'desktop_monitors', (monitor) => ({
  caption: monitor.caption,
  manufacturer: monitor.manufacturer,
  monitor_type: monitor.monitorType,
  monitor_name: monitor.monitorName,
  serial_number: monitor.serialNumber,
  vendor_id: monitor.vendorId,
  monitor_size: monitor.monitorSize,
  screen_width: monitor.screenWidth,
  screen_height: monitor.screenHeight,
  pixels_per_x_logical_inch: monitor.pixelsPerXLogicalInch,
  pixels_per_y_logical_inch: monitor.pixelsPerYLogicalInch,
  manufacturing_year: monitor.manufacturingYear,
  manufacturing_week: monitor.manufacturingWeek,
}))
