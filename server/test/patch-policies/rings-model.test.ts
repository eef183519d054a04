import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { findRing, type PlacedRing } from '../../src/features/rollouts/ring-membership.ts'
import { modelRuns } from '../world/model-runs.ts'
import { openRingWorld } from './ring-world.ts'

const { db, given, policy, critical, rulings, released } = await openRingWorld()

const anyRing = fc.oneof(fc.record({ group: fc.nat(2) }), fc.record({ percent: fc.integer({ min: 1, max: 40 }) }))

const root = await given.group()
const groups = await Promise.all([0, 1, 2].map(() => given.group({ tree: 'AssignmentGroups' })))
const below = await Promise.all(groups.map((parent) => given.group({ tree: 'AssignmentGroups', parent })))
const patch = await critical(3)
const membership = new Map<number, string[]>()
const computers: { id: number }[] = []
for (let at = 0; at < 12; at++) {
  const computer = await given.computer()
  await given.member(root, computer)
  // Members of none, one or several of the groups, directly or through the group below.
  const own = groups.filter((_, bit) => at & (1 << bit))
  for (const group of own) await given.member((at % 2 ? group : below[groups.indexOf(group)]) ?? group, computer)
  membership.set(
    computer.id,
    own.map(({ id }) => id),
  )
  await given.patchScan(computer, [patch.missing])
  computers.push(computer)
}

/** The model: what rollouts do with the same rings and positions. */
function place(rings: readonly ({ group: number } | { percent: number })[]): PlacedRing[] {
  let percent = 0
  return [
    ...rings.map((ring): PlacedRing => {
      if ('group' in ring)
        return { rule: { kind: 'Group', groupId: groups[ring.group]?.id ?? '' }, positionsBelow: null }
      percent += ring.percent
      return { rule: { kind: 'Percent', size: ring.percent }, positionsBelow: percent / 100 }
    }),
    { rule: { kind: 'Rest' }, positionsBelow: null },
  ]
}

const positionOf = (policyId: number, computerId: number) =>
  Number.parseInt(
    createHash('sha256').update(`patch-policy-${policyId}:${computerId}`).digest('hex').slice(0, 13),
    16,
  ) /
  2 ** 52

test('every computer is in exactly one ring, the first that it fits, and a released computer is in a ring that is open', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc
        .array(anyRing, { maxLength: 5 })
        .filter((rings) => rings.reduce((sum, ring) => sum + ('percent' in ring ? ring.percent : 0), 0) < 100),
      fc.nat(6),
      async (given, open) => {
        await db.deleteFrom('patch_policies').execute()
        const rings = [
          ...given.map((ring, at) => ({
            name: `Ring ${at + 1}`,
            ...('group' in ring ? { groupId: groups[ring.group]?.id ?? '' } : ring),
          })),
          { name: 'Rest' },
        ]
        const { id } = await policy([{ action: 'Approve' }], [root], { rings })
        const openRing = Math.min(open, rings.length)
        if (openRing > 0)
          await sql`
            insert into patch_ring_progress (policy_id, patch_id, product_id, ring, begun_at, opened_at)
            values (${id}, ${patch.id}, ${patch.product.id}, ${openRing}, now(), now())`.execute(db)
        const placed = place(given)
        const isReleased = new Set(await released(computers, patch))

        for (const computer of computers) {
          const candidate = {
            computerId: computer.id,
            position: positionOf(id, computer.id),
            groupIds: membership.get(computer.id) ?? [],
          }
          const ring = findRing(candidate, placed) + 1
          const ruling = (await rulings(computer)).get(patch.id)
          expect(ruling?.ring).toBe(ring)
          expect(isReleased.has(computer.id)).toBe(ring <= openRing)
          expect(ruling?.state).toBe(ring <= openRing ? 'Released' : 'WaitingForRing')
        }
      },
    ),
    { numRuns: modelRuns(15) },
  )
}, 60_000)
