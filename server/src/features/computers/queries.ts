import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { ouVariableId } from './computer-rows.ts'

/** Writes the computer's own value of the OU variable; an empty text deletes it, null and undefined keep it. */
export async function writeOwnOu(db: Database, id: number, ou: string | null | undefined): Promise<void> {
  if (ou === null || ou === undefined) return
  if (ou === '')
    await sql`delete from computer_variables where computer_id = ${id} and variable_id = (${ouVariableId})`.execute(db)
  else
    await sql`
      insert into computer_variables (computer_id, variable_id, value)
      select ${id}::integer, variable_id, ${ou} from (${ouVariableId}) as ou
      on conflict on constraint computer_variables_pkey do update set value = excluded.value, sealed_value = null
      `.execute(db)
}

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
