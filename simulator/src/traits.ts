import { isAmong } from './machines/machine.ts'
import type { Scenario } from './scenario.ts'

/** Decides by its number whether a computer has a trait. Each trait has its own purpose, so traits are independent. */
type Trait<S extends keyof Scenario> = (scenario: Pick<Scenario, S>, number: number) => boolean

/** The computer makes no contact after its first. */
export const isSilent: Trait<'shares'> = ({ shares }, number) => isAmong(number, shares.silent, 24)

export const isSuspended: Trait<'shares'> = ({ shares }, number) => isAmong(number, shares.suspended, 25)

export const needsRebootInitially: Trait<'shares'> = ({ shares }, number) => isAmong(number, shares.rebootRequired, 26)

export const sendsInventory: Trait<'shares' | 'inventory'> = ({ shares, inventory }, number) =>
  inventory.isSent && !isAmong(number, shares.withoutInventory, 27)

export const hasWrongClock: Trait<'clockSkew'> = ({ clockSkew }, number) => isAmong(number, clockSkew.share, 23)

export const hasClone: Trait<'duplicates'> = ({ duplicates }, number) => isAmong(number, duplicates.clones, 21)

export const hasTwin: Trait<'duplicates'> = ({ duplicates }, number) => isAmong(number, duplicates.refused, 22)

/** The agent keeps a wake connection. One that is silent has none: a connected computer counts as seen. */
export const keepsConnection: Trait<'contact' | 'shares'> = (scenario, number) =>
  isAmong(number, scenario.contact.connectedShare, 39) && !isSilent(scenario, number)

/** The agent is of a version that starts and reports each work item by requests of its own. */
export const startsEachItem: Trait<'work'> = ({ work }, number) => isAmong(number, work.singleRequestShare, 38)
