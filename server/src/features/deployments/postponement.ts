import { distributionCommands } from '../distribution/commands.ts'

const { Force, Hidden } = distributionCommands

export type Postponable = {
  commands: number
  revoke_count: number
  revoke_date: Date | null
  postponements: number
}

/** How many more times the user may postpone a work item. */
export function remainingPostponements(item: Postponable, now: Date): number {
  if (item.commands & (Force | Hidden)) return 0
  if (item.revoke_date && item.revoke_date <= now) return 0
  return Math.max(0, item.revoke_count - item.postponements)
}
