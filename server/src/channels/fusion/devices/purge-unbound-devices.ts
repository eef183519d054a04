import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'

const retentionDays = 30

/** Deletes devices that have never sent an inventory. Returns how many it deleted. */
export async function purgeUnboundDevices(db: Database): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from fusion_devices where id in (
      select id from fusion_devices
      where computer_id is null and first_seen_at < now() - ${sql.lit(retentionDays)} * interval '1 day'
        and coalesce(stored_at, asked_at, first_seen_at) < now() - ${sql.lit(retentionDays)} * interval '1 day'
      for update skip locked)`.execute(db)
  return Number(numAffectedRows ?? 0)
}
