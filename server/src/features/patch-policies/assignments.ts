import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import type { OwnerQuery } from '../assignments/effective-assignments.ts'
import { computersBelow } from '../groups/affected-computers.ts'
import { decidesFirst, reachedPolicies } from '../patches/policies/effective-rulings.ts'

/** The assignments of a policy in the shape of the API. */
export function policyAssignmentRows(db: Database, policyId: number) {
  return db
    .selectFrom('patch_policy_assignments')
    .innerJoin('groups', 'groups.id', 'patch_policy_assignments.group_id')
    .where('patch_policy_assignments.policy_id', '=', policyId)
    .select([
      'patch_policy_assignments.policy_id as policyId',
      'groups.id as groupId',
      'groups.path as groupPath',
      sql<number>`(
        select count(distinct computer_id)::integer
        from (${computersBelow(sql`select groups.id as group_id`)}) as below)`.as('computerCount'),
      'patch_policy_assignments.assigned_at as assignedUtc',
    ])
}

type EffectivePolicy = {
  policyId: number
  policyName: string
  priority: number
  ruleCount: number
  groupId: string
  groupPath: string
  distance: number
  place: number
}

/** The policies that an owner has, each once, with the order in which they decide as `place`. */
export function effectivePolicyRows(db: Database, ownerKind: 'computer' | 'group', owner: OwnerQuery) {
  const rows = sql<EffectivePolicy>`(
    select *, row_number() over (order by priority, distance, in_assignment_tree, "groupPath" collate "C", "groupId", "policyId")::integer as place
    from (
      select distinct on (policy.id) policy.id as "policyId", policy.name as "policyName", policy.priority,
        jsonb_array_length(policy.rules) as "ruleCount", reached.group_id as "groupId", reached.group_path as "groupPath",
        reached.distance, reached.in_assignment_tree
      from ${reachedPolicies(ownerKind, owner)}
      order by policy.id, ${decidesFirst}
    ) as nearest)`
  return db
    .selectFrom(rows.as('effective'))
    .select(['policyId', 'policyName', 'priority', 'ruleCount', 'groupId', 'groupPath', 'distance', 'place'])
}
