import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'

const lockNotAvailable = '55P03'

/** Drops the days that are older than the retention. Does nothing while somebody reads the log in a long transaction. */
export async function dropEventDays(db: Database, retentionDays: number): Promise<number> {
  try {
    const { rows } = await sql<{ dropped: number }>`
      select drop_event_days((now() at time zone 'UTC')::date - ${retentionDays}::integer) as dropped`.execute(db)
    return rows[0]?.dropped ?? 0
  } catch (error) {
    if ((error as { code?: string }).code === lockNotAvailable) return 0
    throw error
  }
}
