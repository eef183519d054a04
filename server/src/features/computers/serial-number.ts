import type { Database } from '../../database/connect.ts'

/**
 * Writes the serial number of the BIOS record; an empty text deletes the record, null and undefined keep it. What a scan
 * found is then no longer what is stored, so that the next scan is asked for it again.
 */
export async function writeSerialNumber(db: Database, id: number, serial: string | null | undefined): Promise<void> {
  if (serial === null || serial === undefined) return
  await db.deleteFrom('inventory_sections').where('computer_id', '=', id).where('section', '=', 'bios').execute()
  if (serial === '') await db.deleteFrom('bios_records').where('computer_id', '=', id).execute()
  else
    await db
      .insertInto('bios_records')
      .values({ computer_id: id, serial_number: serial })
      .onConflict((conflict) => conflict.column('computer_id').doUpdateSet({ serial_number: serial }))
      .execute()
}
