import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import type { RequestParts } from '../../platform/operation.ts'
import { invalidPart } from '../../platform/validation.ts'
import { type AffectedComputers, computersBelow } from '../groups/affected-computers.ts'
import type { PolicyRestart } from '../hand-out/policy-restarts.ts'
import type { PatchRing } from '../patches/policies/patch-rings.ts'
import type { PatchRule } from '../patches/policies/patch-rules.ts'
import { patchPolicyNotFound } from './api/problems.ts'
import { toRestartAnswer } from './restarts.ts'

/** The rings of a policy, with the paths of their groups. */
const ringsWithPaths = sql<(PatchRing & { groupPath?: string | null })[]>`(
    select coalesce(jsonb_agg(
      case when ring ? 'groupId'
        then ring || jsonb_build_object('groupPath', (select path from groups where id = (ring->>'groupId')::uuid))
        else ring end
      order by place), '[]')
    from jsonb_array_elements(patch_policies.rings) with ordinality as listed (ring, place))`

/** Patch policies in the shape of the API. */
export function policyRows(db: Database) {
  return db.selectFrom('patch_policies').select([
    'patch_policies.id',
    'patch_policies.name',
    'patch_policies.description',
    'patch_policies.priority',
    sql<PatchRule[]>`patch_policies.rules`.as('rules'),
    ringsWithPaths.as('rings'),
    sql<PolicyRestart | null>`patch_policies.restart`.as('restart'),
    sql<number>`(
        select count(*)::integer from patch_policy_assignments where policy_id = patch_policies.id)`.as(
      'assignmentCount',
    ),
    'patch_policies.changed_at as changedAtUtc',
  ])
}

export const toPolicyAnswer = <Row extends { restart: PolicyRestart | null }>(row: Row) => ({
  ...row,
  restart: row.restart && toRestartAnswer(row.restart),
})

export async function getPolicyRow(db: Database, id: number) {
  const policy = await policyRows(db).where('patch_policies.id', '=', id).executeTakeFirst()
  if (!policy) throw patchPolicyNotFound({ policyId: id })
  return toPolicyAnswer(policy)
}

/** Locks a policy for changes of its rules and assignments, which must not run concurrently. */
export async function lockPolicy(db: Database, id: number): Promise<void> {
  const policy = await db.selectFrom('patch_policies').select('id').where('id', '=', id).forUpdate().executeTakeFirst()
  if (!policy) throw patchPolicyNotFound({ policyId: id })
}

/** The groups to which a policy is assigned. */
export const groupsOfPolicy = (id: number): RawBuilder<{ group_id: string }> =>
  sql`select group_id from patch_policy_assignments where policy_id = ${id}`

/** The mass action of operations on the policy in their path: it affects the computers that have the policy. */
export const affectsPolicy = {
  computers: ({ params }: Pick<RequestParts, 'params'>): AffectedComputers =>
    computersBelow(groupsOfPolicy((params as { id: number }).id)),
  /** Also those of the rings that the request brings. */
  groups: ({ params, body }: Pick<RequestParts, 'params' | 'body'>): RawBuilder<{ group_id: string }> => {
    const { rings } = (body ?? {}) as { rings?: readonly { groupId?: string }[] | null }
    const ringGroups = (rings ?? []).flatMap(({ groupId }) => (groupId === undefined ? [] : [groupId]))
    return sql`${groupsOfPolicy((params as { id: number }).id)} union select unnest(${ringGroups}::uuid[])`
  },
}

/** The computers in groups and below them, for changes of their fix work. */
export const ownersBelow = (groups: RawBuilder<{ group_id: string }>): RawBuilder<{ owner_id: number }> =>
  sql`select computer_id as owner_id from (${computersBelow(groups)}) as below`

/** Refuses rules that could match nothing, or with a property that has no effect. */
export function requireEffectiveRules(rules: readonly PatchRule[]): void {
  for (const [at, { action, afterDays, minAgeDays, maxAgeDays }] of rules.entries()) {
    if (action !== 'Approve' && afterDays !== undefined)
      throw invalidPart('body', `rules.${at}.afterDays`, 'is for rules that approve')
    if (minAgeDays !== undefined && maxAgeDays !== undefined && minAgeDays > maxAgeDays)
      throw invalidPart('body', `rules.${at}.maxAgeDays`, 'must not be less than minAgeDays')
    if (afterDays !== undefined && maxAgeDays !== undefined && afterDays > maxAgeDays)
      throw invalidPart('body', `rules.${at}.afterDays`, 'must not exceed maxAgeDays')
  }
}
