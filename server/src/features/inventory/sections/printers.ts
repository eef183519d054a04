import { Printer } from '../items.ts'
import { hardwareSection } from './section.ts'

export const printersSection = hardwareSection('printers', Printer, 'printers', (printer) => ({
  name: printer.name,
  port: printer.port,
  share_name: printer.shareName,
  driver_name: printer.driverName,
  driver_version: printer.driverVersion,
  comment: printer.comment,
  caption: printer.caption,
  capability_descriptions: printer.capabilityDescriptions,
  is_network_printer: printer.isNetworkPrinter,
  is_default: printer.isDefault,
  horizontal_resolution: printer.horizontalResolution,
  vertical_resolution: printer.verticalResolution,
}))
