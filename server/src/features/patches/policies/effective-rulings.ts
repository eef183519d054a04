import { type RawBuilder, sql } from 'kysely'
import { nearestFirst, type OwnerQuery, reachedAssignments } from '../../assignments/effective-assignments.ts'
import { type MissingPatch, missingPatches } from '../missing-patches.ts'
import { ringOfComputer } from './patch-rings.ts'
import type { RuleAction } from './patch-rules.ts'

/** The order in which the policies of a computer or a group decide, as the end of an `order by`. */
export const decidesFirst = sql`policy.priority, ${nearestFirst('reached')}, policy.id`

/** The policies that owners inherit from their groups and the groups above, each as often as it is reached. */
export const reachedPolicies = (ownerKind: 'computer' | 'group', owners: OwnerQuery) => sql`
  (${reachedAssignments('patchPolicy', ownerKind, owners)}) as reached join patch_policies policy on policy.id = reached.object_id`

/** Whether a ruling is the present one. */
export const isPresentRuling = (ruling: string): RawBuilder<boolean> =>
  sql<boolean>`(${sql.ref(`${ruling}.valid_from`)} <= now() and now() < ${sql.ref(`${ruling}.valid_until`)})`

/** What the policies of a computer say about a patch that it lacks. */
export type EffectiveRuling = MissingPatch & {
  policy_id: number
  group_id: string
  rule_number: number
  action: RuleAction
  approved_from: Date | null
  valid_until: Date
  /** The ring of the computer; null if the policy has no rings. */
  ring: number | null
  /** The last ring of the policy that is open for the patch; 0: none. */
  open_ring: number
  is_paused: boolean
  is_stopped: boolean
  /** Whether computers that have the stopped patch roll it back. */
  rolls_back: boolean
}

/**
 * The rulings that count for patches of computers: those that they lack, or others of their last scan. Of the policies of a
 * computer, the first one with a rule for the patch decides. `computers` may refer to columns of the surrounding query.
 */
export function effectiveRulings(
  computers: RawBuilder<{ owner_id: number }>,
  scanned: RawBuilder<MissingPatch> = missingPatches,
): RawBuilder<EffectiveRuling> {
  return sql<EffectiveRuling>`
    select decided.computer_id, decided.patch_id, decided.product_id, decided.policy_id, decided.group_id, decided.rule_number,
      decided.action, decided.approved_from, decided.valid_until, own.ring, coalesce(progress.ring, 0) as open_ring,
      progress.paused_at is not null as is_paused, progress.stopped_at is not null as is_stopped,
      coalesce(progress.rolls_back, false) as rolls_back
    from (
      select distinct on (missing.computer_id, missing.patch_id, missing.product_id) missing.computer_id, missing.patch_id,
        missing.product_id, policy.id as policy_id, policy.rings, reached.group_id, ruling.rule_number, ruling.action,
        ruling.approved_from, ruling.valid_until
      from ${reachedPolicies('computer', computers)}
        join (${scanned}) as missing on missing.computer_id = reached.owner_id
        join patch_policy_rulings ruling on ruling.policy_id = policy.id and ruling.patch_id = missing.patch_id
          and ruling.product_id = missing.product_id and ${isPresentRuling('ruling')}
      order by missing.computer_id, missing.patch_id, missing.product_id, ${decidesFirst}
    ) as decided
      left join patch_ring_progress progress on progress.policy_id = decided.policy_id and progress.patch_id = decided.patch_id
        and progress.product_id = decided.product_id
      left join lateral (
        select ${ringOfComputer({
          policyId: sql.ref('decided.policy_id'),
          rings: sql.ref('decided.rings'),
          computerId: sql.ref('decided.computer_id'),
        })} as ring) as own on decided.rings <> '[]'`
}

/** Whether the rule of a ruling releases its patch now: it has approved it, the ring of the computer is open, and it is not paused. */
export function isReleasedByRule(ruling: string): RawBuilder<boolean> {
  const column = (name: string) => sql.ref(`${ruling}.${name}`)
  return sql<boolean>`(coalesce(${column('approved_from')} <= now(), false) and not ${column('is_paused')}
    and coalesce(${column('ring')} <= ${column('open_ring')}, true))`
}

/**
 * Whether a ruling releases its patch now. A person who approves a patch does so before its time, instead of a rule, and for all rings.
 * Nothing releases what is stopped.
 */
export function isReleasedByRuling(ruling: string, link: string): RawBuilder<boolean> {
  const column = (name: string) => sql.ref(`${ruling}.${name}`)
  return sql<boolean>`(not ${column('is_stopped')} and (${isReleasedByRule(ruling)}
    or ${column('action')} <> 'Decline' and ${sql.ref(`${link}.approved_at`)} is not null))`
}
