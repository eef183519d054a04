import { distributionCommands } from '../distribution/commands.ts'
import { deadlineOf, type StoredUserDeadline } from '../distribution/user-deadline.ts'

const { Force, Hidden } = distributionCommands

export type Postponable = {
  commands: number
  revoke_count: number
  revoke_date: Date | null
  postponements: number
  /** That of the rollout, otherwise that of the distribution options. */
  user_deadline: StoredUserDeadline | null
  first_leased_at: Date | null
}

/** Until when the user may postpone a work item; null: any time. An item that is leased for the first time begins its hours. */
export function latestPostponement(
  { user_deadline, first_leased_at, revoke_date }: Postponable,
  now: Date,
): Date | null {
  return user_deadline ? deadlineOf(user_deadline, first_leased_at ?? now) : revoke_date
}

/** How many more times the user may postpone a work item. */
export function remainingPostponements(item: Postponable, now: Date): number {
  if (item.commands & (Force | Hidden)) return 0
  const latest = latestPostponement(item, now)
  if (latest && latest <= now) return 0
  const max = item.user_deadline?.maxPostponements ?? item.revoke_count
  return Math.max(0, max - item.postponements)
}
