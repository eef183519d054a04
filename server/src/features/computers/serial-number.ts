import type { Database } from '../../database/connect.ts'

/**
 * Sets the serial number in the BIOS record of the computer. An empty text deletes the record; null and undefined keep
 * it. The hash of the scanned section is deleted, because the stored record no longer equals the last scan: the server
 * then asks for the section again at the next scan.
 */
export async function setSerialNumber(db: Database, id: number, serial: string | null | undefined): Promise<void> {
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
