import { type RawBuilder, sql } from 'kysely'
import { positionOf } from '../../assignments/ring-position.ts'

/** When the results of a ring allow the next one, and when they pause the patch. */
export type RingGate = {
  /** Of the computers of the ring that need the patch, this share has to have it. */
  minInstalledPercent: number
  /** More failures than this share pause the patch. */
  maxFailedPercent: number
  /** The ring needs this many results, or one from each of its computers if it has fewer. */
  minComputers: number
}

/**
 * A ring as it is stored. A computer belongs to the first ring that it fits: by its group, by its position, and otherwise to the last
 * one, which takes the rest.
 */
export type PatchRing = {
  name: string
  groupId?: string
  percent?: number
  /** Days after the approval for the first ring, and after the ring before has met its gate for the others. */
  afterDays: number
  gate: RingGate
}

export type GivenPatchRing = Omit<PatchRing, 'afterDays' | 'gate'> & { afterDays?: number; gate?: Partial<RingGate> }

export function completeRing({ afterDays = 0, gate = {}, ...ring }: GivenPatchRing): PatchRing {
  return { ...ring, afterDays, gate: { minInstalledPercent: 80, maxFailedPercent: 5, minComputers: 1, ...gate } }
}

/**
 * The number of the ring of a computer, as a scalar subquery; null if the policy has no rings. `policyId` and `rings` are those of a
 * policy. Percentages count along: of 10 and 25 percent, the second ring has the positions from 0.1 to 0.35.
 */
export function ringOfComputer(policy: {
  policyId: RawBuilder<number>
  rings: RawBuilder<unknown>
  computerId: RawBuilder<number>
}): RawBuilder<number | null> {
  const { policyId, rings, computerId } = policy
  return sql<number | null>`(
    select ring.number::smallint
    from (
      select listed.number, own."groupId" as group_id, own.percent,
        sum(own.percent) over (order by listed.number) / 100 as positions_below
      from jsonb_array_elements(${rings}) with ordinality as listed (ring, number)
        cross join lateral jsonb_to_record(listed.ring) as own ("groupId" uuid, percent double precision)
    ) as ring
    where case
      when ring.group_id is not null then exists (
        select from effective_memberships membership
          join group_ancestors above on above.descendant_id = membership.group_id
        where membership.computer_id = ${computerId} and above.ancestor_id = ring.group_id)
      when ring.percent is not null then ${positionOf(sql<string>`'patch-policy-' || ${policyId}`, computerId)} < ring.positions_below
      else true end
    order by ring.number limit 1)`
}

/** What the last count found about the computers of a ring that need the patch or have it. */
export type RingComputers = {
  ring: number
  installed: number
  lacking: number
  /** Those of `lacking` whose fix package failed since the ring opened. */
  failed: number
  /** Those of `lacking` that were not seen since the ring opened, which is longer ago than a day. */
  away: number
}

export const noRingComputers = { installed: 0, lacking: 0, failed: 0, away: 0 }

/** The computers of a ring that count: those that are away do not. */
export const countRingComputers = ({ installed, lacking, away }: RingComputers) => installed + lacking - away

/** The share of them that has the patch, in percent; null if none counts. */
export function installedPercent(computers: RingComputers): number | null {
  const total = countRingComputers(computers)
  return total > 0 ? Math.floor((computers.installed * 100) / total) : null
}
