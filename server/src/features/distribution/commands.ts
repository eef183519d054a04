import { type RawBuilder, sql } from 'kysely'

/** Bits of the distribution command mask. Names are always listed in this order. */
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

const { Install, Update, Uninstall, Reinstall, Optional } = distributionCommands

/** The bits that say what happens to the package; the other bits say how. */
const actionBits = Install | Update | Uninstall | Reinstall

const validActions: readonly number[] = [Install, Update, Install | Update, Uninstall, Reinstall]

/** Whether software that is installed is uninstalled, for good or before it is installed again. */
export function removesSoftware(mask: number): boolean {
  return (mask & (Uninstall | Reinstall)) !== 0
}

/**
 * Whether users may ask for the package. Work with such a mask is an offer, and no deployment until its user requests it.
 * Nobody is asked before an optional package is uninstalled.
 */
export function isOptional(mask: number): boolean {
  return (mask & (Optional | Uninstall)) === Optional
}

export function isOptionalSql(mask: string): RawBuilder<boolean> {
  return sql<boolean>`(${sql.ref(mask)} & ${sql.lit(Optional | Uninstall)} = ${sql.lit(Optional)})`
}

/**
 * 1 if a work item, given by its alias, is an offer: nobody has requested its optional package yet. Otherwise 0. An index has
 * this expression.
 */
export function offerFlag(work: string): RawBuilder<number> {
  const isUnclaimed = sql`${isOptionalSql(`${work}.commands`)} and ${sql.ref(`${work}.attempt`)} = 0`
  return sql<number>`case when ${isUnclaimed} then 1 else 0 end`
}

export function toCommandMask(commands: readonly DistributionCommand[]): number {
  return commands.reduce((mask, command) => mask | distributionCommands[command], 0)
}

export function toCommandNames(mask: number): DistributionCommand[] {
  return distributionCommandNames.filter((command) => mask & distributionCommands[command])
}

/** Whether the actions of the mask can be combined. Installing and uninstalling at the same time cannot. */
export function hasValidAction(mask: number): boolean {
  return validActions.includes(mask & actionBits)
}

/** The mask with its actions replaced by this one; the other bits stay. */
export function withAction(mask: RawBuilder<number>, action: 'Install' | 'Uninstall'): RawBuilder<number> {
  return sql<number>`(${mask} & ~${sql.lit(actionBits)}::integer | ${sql.lit(distributionCommands[action])}::integer)`
}

/** The mask with which an operating system is installed: when the computer boots, without asking a user. */
export function asSystemInstallation(mask: RawBuilder<number>): RawBuilder<number> {
  return sql<number>`(${withAction(mask, 'Install')} & ~${sql.lit(Optional)}::integer)`
}
