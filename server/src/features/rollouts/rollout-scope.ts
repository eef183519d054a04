import { sql } from 'kysely'
import { type ActivationScope, groupScope } from '../deployments/activation/activation-scope.ts'
import type { Rollout } from './rollout-record.ts'

/**
 * The members of a group and of the groups below it that are kept converged by its setting, published through these groups
 * only. With `onlyIds`, all other computers are left out.
 */
export function waveScope(groupId: string, onlyIds?: readonly number[]): ActivationScope {
  const memberships = sql<{ computer_id: number; group_id: string }>`
    select member.computer_id, member.group_id
    from converged_groups converged join effective_memberships member on member.group_id = converged.group_id
    where converged.owner_id = ${groupId} ${onlyIds ? sql`and member.computer_id = any(${onlyIds}::integer[])` : sql``}`
  return {
    computers: sql<{ owner_id: number }>`select distinct computer_id as owner_id from (${memberships}) as members`,
    memberships,
    isGlobal: false,
    groupId,
  }
}

/** The computers of a rollout, or some of them, and the groups through which it publishes. */
export function scopeOf({ groupId, isWave }: Rollout, onlyIds?: readonly number[]): ActivationScope {
  return isWave ? waveScope(groupId, onlyIds) : groupScope(groupId, false, onlyIds)
}
