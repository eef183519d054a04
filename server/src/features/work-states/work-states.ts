import { type RawBuilder, sql } from 'kysely'

export const workKinds = [
  'Install',
  'Update',
  'Uninstall',
  'Reinstall',
  'Trial',
  'OperatingSystem',
  'Power',
  'Refresh',
] as const

export type WorkKind = (typeof workKinds)[number]

/** Agents lease all kinds except `OperatingSystem`, which the PXE channel carries out. */
export const leasableWorkKinds = [
  'Install',
  'Update',
  'Uninstall',
  'Reinstall',
  'Trial',
  'Power',
  'Refresh',
] as const satisfies readonly WorkKind[]

export type LeasableWorkKind = (typeof leasableWorkKinds)[number]

/** What an agent does with a package. */
export type PackageWorkKind = Exclude<LeasableWorkKind, 'Power' | 'Refresh'>

/** Due: the item waits for the agent. Leased: the agent has it. */
export const openWorkStates = ['Due', 'Leased'] as const

const closedWorkStates = ['Success', 'Failed', 'Cancelled'] as const

export const workStates = [...openWorkStates, ...closedWorkStates] as const

export type ClosedWorkState = (typeof closedWorkStates)[number]

export type WorkState = (typeof workStates)[number]

/**
 * Whether a work item is open; `column` names its state. The states are literals: with parameters, PostgreSQL could use
 * neither the partial indexes on open work nor infer them in `on conflict`.
 */
export function isOpenWork(column: string): RawBuilder<boolean> {
  return sql<boolean>`${sql.ref(column)} in (${sql.join(openWorkStates.map((state) => sql.lit(state)))})`
}

/** The order in which transactions lock work items, given the alias of `work`: those without a package first. */
export function workLockOrder(work: string): RawBuilder<unknown> {
  const column = (name: string) => sql.ref(`${work}.${name}`)
  return sql`${column('package_id')} is not null, ${column('computer_id')}, ${column('package_id')}, ${column('kind')}, ${column('id')}`
}

/** Whether the work, given its alias, is open and installs its package. */
export function isOpenInstallation(work: string): RawBuilder<boolean> {
  return sql<boolean>`(${isOpenWork(`${work}.state`)} and ${sql.ref(`${work}.kind`)} in ('Install', 'Update', 'Reinstall'))`
}
