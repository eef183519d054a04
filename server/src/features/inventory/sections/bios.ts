import { Bios } from '../items.ts'
import { objectSection, recordChanges } from './section.ts'

export const biosSection = objectSection('bios', Bios, (computerId, report) => ({
  ctes: recordChanges('bios_records', computerId, {
    caption: report.caption,
    manufacturer: report.manufacturer,
    sm_bios_version: report.smBiosVersion,
    // A scan replaces the serial number that a person entered, even if it finds none.
    serial_number: report.serialNumber,
    version: report.version,
    uuid: report.uuid,
  }),
}))
