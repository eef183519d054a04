import { sql } from 'kysely'
import { Bios } from '../items.ts'
import { recordSection } from './section.ts'

export const bios = recordSection('bios', Bios, async (db, computerId, told) => {
  await db
    .insertInto('bios_records')
    .values({
      computer_id: computerId,
      caption: told.caption,
      manufacturer: told.manufacturer,
      sm_bios_version: told.smBiosVersion,
      serial_number: told.serialNumber,
      version: told.version,
      uuid: told.uuid,
    })
    .onConflict((conflict) =>
      conflict.column('computer_id').doUpdateSet(({ ref }) => ({
        caption: ref('excluded.caption'),
        manufacturer: ref('excluded.manufacturer'),
        sm_bios_version: ref('excluded.sm_bios_version'),
        // A scan that could not read the number does not take away the one that a person entered.
        serial_number: sql<string | null>`coalesce(excluded.serial_number, bios_records.serial_number)`,
        version: ref('excluded.version'),
        uuid: ref('excluded.uuid'),
      })),
    )
    .execute()
})
