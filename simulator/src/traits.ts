import { isAmong } from './machines/machine.ts'
import type { Scenario } from './scenario.ts'

/** What the scenario says about the computer of a number. Each trait has its own number, so that they meet by chance. */
type Trait<S extends keyof Scenario> = (scenario: Pick<Scenario, S>, number: number) => boolean

/** It is not heard of any more after its first contact. */
export const isSilent: Trait<'shares'> = ({ shares }, number) => isAmong(number, shares.silent, 24)

export const isSuspended: Trait<'shares'> = ({ shares }, number) => isAmong(number, shares.suspended, 25)

export const asksForRestart: Trait<'shares'> = ({ shares }, number) => isAmong(number, shares.rebootRequired, 26)

export const tellsInventory: Trait<'shares' | 'inventory'> = ({ shares, inventory }, number) =>
  inventory.isSent && !isAmong(number, shares.withoutInventory, 27)

export const hasWrongClock: Trait<'clockSkew'> = ({ clockSkew }, number) => isAmong(number, clockSkew.share, 23)

export const hasClone: Trait<'duplicates'> = ({ duplicates }, number) => isAmong(number, duplicates.clones, 21)

export const hasTwin: Trait<'duplicates'> = ({ duplicates }, number) => isAmong(number, duplicates.refused, 22)
