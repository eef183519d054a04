import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'

/** Audits how often requests of the past hours were repeated, deletes the counts and returns their number. */
export async function auditEndedRepeats(db: Database): Promise<number> {
  const { rows } = await sql`
    with ended as (
      delete from repeated_requests where key in (
        select key from repeated_requests where since <= now() - interval '1 hour' limit 5000 for update skip locked)
      returning *
    )
    select case when repeats > 0 then append_audit_entry(principal_id, principal_name, operation, target,
      request || jsonb_build_object('repeats', repeats), status, request_id) end
    from ended`.execute(db)
  return rows.length
}
