import { distributionCommands } from '../distribution/commands.ts'

const { Force, Hidden } = distributionCommands

export type Postponable = {
  commands: number
  revoke_count: number
  revoke_date: Date | null
  postponements: number
}

/** How often the user may still postpone a piece of work. */
export function remainingPostponements(piece: Postponable, now: Date): number {
  if (piece.commands & (Force | Hidden)) return 0
  if (piece.revoke_date && piece.revoke_date <= now) return 0
  return Math.max(0, piece.revoke_count - piece.postponements)
}
