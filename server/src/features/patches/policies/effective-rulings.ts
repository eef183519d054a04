import { type RawBuilder, sql } from 'kysely'
import { nearestFirst, type OwnerQuery, reachedAssignments } from '../../assignments/effective-assignments.ts'
import { type MissingPatch, missingPatches } from '../missing-patches.ts'
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
}

/**
 * The rulings that count for the missing patches of computers. Of the policies of a computer, the first one with a rule for the
 * patch decides. `computers` may refer to columns of the surrounding query.
 */
export function effectiveRulings(computers: RawBuilder<{ owner_id: number }>): RawBuilder<EffectiveRuling> {
  return sql<EffectiveRuling>`
    select distinct on (missing.computer_id, missing.patch_id, missing.product_id) missing.computer_id, missing.patch_id,
      missing.product_id, policy.id as policy_id, reached.group_id, ruling.rule_number, ruling.action, ruling.approved_from,
      ruling.valid_until
    from ${reachedPolicies('computer', computers)}
      join (${missingPatches}) as missing on missing.computer_id = reached.owner_id
      join patch_policy_rulings ruling on ruling.policy_id = policy.id and ruling.patch_id = missing.patch_id
        and ruling.product_id = missing.product_id and ${isPresentRuling('ruling')}
    order by missing.computer_id, missing.patch_id, missing.product_id, ${decidesFirst}`
}

/** Whether a ruling releases its patch now. A person who approves a patch does so before its time and instead of a rule. */
export function isReleasedByRuling(ruling: string, link: string): RawBuilder<boolean> {
  const column = (name: string) => sql.ref(`${ruling}.${name}`)
  return sql<boolean>`(coalesce(${column('approved_from')} <= now(), false)
    or ${column('action')} <> 'Decline' and ${sql.ref(`${link}.approved_at`)} is not null)`
}
