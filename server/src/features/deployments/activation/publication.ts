import type { RawBuilder } from 'kysely'
import type { PowerSettings } from '../power-settings.ts'
import type { ActivationBits, ActivationScope } from './activation-scope.ts'
import type { ReachableOptions } from './reachable-options.ts'

/** The rollout that releases computers. */
export type RolloutWork = {
  id: string
  /** For a rollback: the version that is uninstalled before, if its manifest allows that. */
  rolledBackPackageId?: string | null
}

/**
 * Limits a publication to one change, without what was changed since. `work` selects the waiting work that it revises, as a condition
 * on `due` (whose kind is null if nothing is to be done), and `fixes` its fix packages, as a condition on `fixes`.
 */
export type BoundPublication = { work: RawBuilder<boolean>; fixes: RawBuilder<boolean> }

/** What is written for the computers of a scope, which the caller has locked. */
export type Publication = ActivationBits & {
  scope: ActivationScope
  /** When Wake-on-LAN is sent to all computers of the scope; null: never. */
  wakeAt: Date | null
  srl: PowerSettings | null
  options: ReachableOptions
  taskId: string
  /** What the history of deployments calls the reason for the work. */
  classification: 'Activation' | 'Request'
  /** Whether all computers of the scope are known to be able to boot their image. */
  allBoot: boolean
  rollout?: RolloutWork | undefined
  /** Which of the due work is requested, as a condition on `due`. Undefined: all of it. */
  only?: RawBuilder<boolean> | undefined
  /** Undefined: everything that is assigned. */
  bound?: BoundPublication | undefined
  /** Which of the due work may be created, as a condition on `due`. Undefined: all of it. */
  within?: RawBuilder<boolean>
}
