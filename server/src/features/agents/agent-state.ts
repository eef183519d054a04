import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'

/** Agents compute the boot time from a clock and an uptime counter, which drift apart. Smaller differences are ignored. */
export const bootToleranceSeconds = 10

export type ReportedAgentState = {
  /** Null keeps the stored platform. */
  platform: string | null
  loggedOnUser: string | null
  /** Null keeps the stored boot time. */
  bootAt: Date | null
}

/** Records the state that an inventory reports about its agent. A new boot time ends a pending reboot. */
export async function recordAgentState(
  db: Database,
  computerId: number,
  { platform, loggedOnUser, bootAt }: ReportedAgentState,
): Promise<void> {
  await sql`
    update agents a set platform = new.platform, boot_at = new.boot_at, logged_on_user = new.logged_on_user,
      is_reboot_required = a.is_reboot_required and new.boot_at is not distinct from a.boot_at,
      reboot_required_source = case when new.boot_at is not distinct from a.boot_at then a.reboot_required_source end,
      state_changed_at = now()
    from (
      select coalesce(${platform}::text, stored.platform) as platform, ${loggedOnUser}::text as logged_on_user,
        case when abs(extract(epoch from stored.boot_at - ${bootAt}::timestamptz)) <= ${sql.lit(bootToleranceSeconds)}
          then stored.boot_at else coalesce(${bootAt}::timestamptz, stored.boot_at) end as boot_at
      from agents stored where stored.computer_id = ${computerId}
    ) as new
    where a.computer_id = ${computerId}
      and (a.platform, a.boot_at, a.logged_on_user) is distinct from (new.platform, new.boot_at, new.logged_on_user)`.execute(
    db,
  )
}

/** Marks the agents of these computers as duplicates: two computers share one identity. */
export async function recordDuplicateAgents(db: Database, computerIds: readonly number[]): Promise<void> {
  await sql`
    with duplicates as (
      select computer_id from agents where computer_id = any(${computerIds}::integer[]) order by computer_id for no key update
    )
    update agents set duplicate_seen_at = now() from duplicates where agents.computer_id = duplicates.computer_id`.execute(
    db,
  )
}
