import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { positionOf } from '../assignments/ring-position.ts'
import { findRing, type PlacedRing, type RingCandidate } from './ring-membership.ts'

/** What became of a computer. Every state except the first two follows from its work. */
export const computerStates = [
  'Waiting',
  'RetryRequested',
  'Pending',
  'Retrying',
  'Succeeded',
  'Failed',
  'Cancelled',
  'NothingDue',
] as const

export type ComputerState = (typeof computerStates)[number]

/** Whether a computer waits for its release or for a retry. As literals, because the conditions of indexes have them. */
export function isUnreleased(column: string): RawBuilder<boolean> {
  return sql<boolean>`${sql.ref(column)} in ('Waiting', 'RetryRequested')`
}

/** Whether the work of a released computer is unfinished. */
export function isUnfinished(column: string): RawBuilder<boolean> {
  return sql<boolean>`${sql.ref(column)} in ('Pending', 'Retrying')`
}

/** A rollout, and what selects its computers. */
export type RolloutTarget = { id: string; computers: RawBuilder<{ owner_id: number }> }

/** Lists the computers that the rollout does not have yet. */
export async function listCandidates(
  db: Database,
  { id, computers }: RolloutTarget,
  ringGroupIds: readonly string[],
): Promise<RingCandidate[]> {
  const { rows } = await sql<RingCandidate>`
    with ring_members as materialized (
      select member.computer_id, array_agg(distinct below.ancestor_id::text) as group_ids
      from group_ancestors below join group_computers member on member.group_id = below.descendant_id
      where below.ancestor_id = any(${ringGroupIds}::uuid[])
      group by member.computer_id
    )
    select target.owner_id as "computerId", ${positionOf(id, sql`target.owner_id`)} as position,
      coalesce(ring_members.group_ids, '{}') as "groupIds"
    from (${computers}) as target
      left join ring_members on ring_members.computer_id = target.owner_id
      left join rollout_computers known on known.rollout_id = ${id} and known.computer_id = target.owner_id
    where known.computer_id is null`.execute(db)
  return rows
}

/** Adds computers to their rings; those of no ring are left out. Ring numbers begin with 1. */
export async function insertRolloutComputers(
  db: Database,
  rolloutId: string,
  candidates: readonly RingCandidate[],
  rings: readonly PlacedRing[],
): Promise<void> {
  const placed = candidates
    .map((candidate) => ({ ...candidate, ring: findRing(candidate, rings) + 1 }))
    .filter(({ ring }) => ring > 0)
  if (placed.length === 0) return
  await sql`
    insert into rollout_computers (rollout_id, computer_id, ring, position)
    select ${rolloutId}::uuid, computers.id, placed.ring, placed.position
    from unnest(${placed.map(({ computerId }) => computerId)}::integer[], ${placed.map(({ ring }) => ring)}::integer[],
      ${placed.map(({ position }) => position)}::double precision[]) as placed (computer_id, ring, position)
      join computers on computers.id = placed.computer_id
    order by computers.id
    on conflict on constraint rollout_computers_pkey do nothing`.execute(db)
}
