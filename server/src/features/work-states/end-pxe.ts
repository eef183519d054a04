import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../database/connect.ts'

/** Ends the activation for PXE of computers: they boot from their disk again. Boot grants end with it. */
export async function endPxe(db: Database, computers: RawBuilder<{ computer_id: number }>): Promise<void> {
  await sql`
    with booted as materialized (
      select id, software or pull as has_other_bits from activations
      where pxe and computer_id = any(array(${computers})) order by computer_id, group_id for update
    ), deleted as (
      delete from activations where id in (select id from booted where not has_other_bits)
    )
    update activations set pxe = false from booted where activations.id = booted.id and has_other_bits`.execute(db)
}
