import { type RawBuilder, sql } from 'kysely'

/** What is to be done with packages, as bits of a number, in the order in which they are named. */
export const distributionCommands = {
  Install: 1,
  Update: 2,
  Uninstall: 4,
  Reinstall: 8,
  Force: 16,
  Hidden: 32,
  Optional: 64,
} as const

export type DistributionCommand = keyof typeof distributionCommands

export const distributionCommandNames = Object.keys(distributionCommands) as DistributionCommand[]

const { Install, Update, Uninstall, Reinstall } = distributionCommands

const actions = Install | Update | Uninstall | Reinstall

const possibleActions: readonly number[] = [Install, Update, Install | Update, Uninstall, Reinstall]

export function maskOf(commands: readonly DistributionCommand[]): number {
  return commands.reduce((mask, command) => mask | distributionCommands[command], 0)
}

export function commandsOf(mask: number): DistributionCommand[] {
  return distributionCommandNames.filter((command) => mask & distributionCommands[command])
}

/** Whether the commands say one thing: a package cannot be installed and uninstalled in one go. */
export function isPossible(mask: number): boolean {
  return possibleActions.includes(mask & actions)
}

/** The bitmask with only this action; how users are asked stays as it is. */
export function withAction(mask: RawBuilder<unknown>, action: 'Install' | 'Uninstall'): RawBuilder<number> {
  return sql<number>`(${mask} & ~${sql.lit(actions)}::integer | ${sql.lit(distributionCommands[action])}::integer)`
}
