import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'

/** Deletes upgrades whose rollouts were deleted, some time after these have ended. Returns how many. */
export async function purgeUpgrades(db: Database, retentionDays: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from package_upgrades upgrade
    where created_at < now() - make_interval(days => ${retentionDays})
      and not exists (select from rollouts where rollouts.upgrade_id = upgrade.id)`.execute(db)
  return Number(numAffectedRows)
}
