import { Bios } from '../items.ts'
import { objectSection } from './section.ts'

export const biosSection = objectSection('bios', Bios, async (db, computerId, report) => {
  await db
    .insertInto('bios_records')
    .values({
      computer_id: computerId,
      caption: report.caption,
      manufacturer: report.manufacturer,
      sm_bios_version: report.smBiosVersion,
      serial_number: report.serialNumber,
      version: report.version,
      uuid: report.uuid,
    })
    .onConflict((conflict) =>
      conflict.column('computer_id').doUpdateSet(({ ref }) => ({
        caption: ref('excluded.caption'),
        manufacturer: ref('excluded.manufacturer'),
        sm_bios_version: ref('excluded.sm_bios_version'),
        // A scan replaces the serial number that a person entered, even if it finds none.
        serial_number: ref('excluded.serial_number'),
        version: ref('excluded.version'),
        uuid: ref('excluded.uuid'),
      })),
    )
    .execute()
})
