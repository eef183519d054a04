import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { completeCriteria } from '../../src/features/rollouts/criteria.ts'
import { areCriteriaMet, nextStep, type RingFacts, type RolloutFacts } from '../../src/features/rollouts/next-step.ts'
import { findRing, placeRings, type RingCandidate, type RingRule } from '../../src/features/rollouts/ring-membership.ts'

const now = new Date('2026-03-14T12:00:00Z')
const minutes = (count: number) => new Date(now.getTime() + count * 60_000)

const count = fc.nat({ max: 30 })
const counts = fc
  .record({
    unreleased: count,
    pending: count,
    retrying: count,
    succeeded: count,
    failed: count,
    cancelled: count,
    nothingDue: count,
  })
  .chain((states) =>
    fc.record({
      ...Object.fromEntries(Object.entries(states).map(([name, value]) => [name, fc.constant(value)])),
      total: fc.constant(Object.values(states).reduce((sum, value) => sum + value, 0)),
      away: fc.nat({ max: states.pending }),
      failing: fc.nat({ max: states.retrying + states.failed }),
      failingRetried: fc.constant(0),
    } as Record<keyof RingFacts['counts'], fc.Arbitrary<number>>),
  )

const limit = fc.option(fc.integer({ min: 1, max: 20 }))
const criteria = fc
  .record({
    minSuccessPercent: fc.integer({ min: 1, max: 100 }),
    minResults: fc.integer({ min: 1, max: 40 }),
    soakMinutes: fc.constantFrom(0, 30),
    maxFailurePercent: fc.option(fc.nat({ max: 100 })),
    sharedCauseComputers: limit,
    silentComputers: limit,
    bootFailures: limit,
  })
  .map(completeCriteria)

/** Rings that are done, at most one that is open, and rings that wait, in this order. */
const rings = fc
  .tuple(
    fc.nat({ max: 3 }),
    fc.boolean(),
    fc.nat({ max: 3 }),
    fc.array(counts, { minLength: 7, maxLength: 7 }),
    fc.option(fc.integer({ min: -60, max: 0 })),
  )
  .map(([done, hasOpen, waiting, ringCounts, metMinutes]): RingFacts[] =>
    [...Array(done).fill('Done'), ...(hasOpen ? ['Open'] : []), ...Array(waiting).fill('Waiting')].map(
      (state, index) => ({
        ring: index + 1,
        state,
        counts: ringCounts[index] ?? expect.fail(),
        criteriaMetAt: state === 'Open' && metMinutes !== null ? minutes(metMinutes) : null,
        releasedAt: minutes(5),
      }),
    ),
  )

const facts: fc.Arbitrary<RolloutFacts> = fc.record({
  criteria,
  now: fc.constant(now),
  rings,
  silent: count,
  bootFailed: count,
  sharedCause: fc.option(
    fc.record({ exitCode: fc.constant(1), error: fc.constant(null), computers: count, retried: fc.constant(0) }),
  ),
  catchUpDays: fc.nat({ max: 3 }),
  catchUpUntil: fc.option(fc.integer({ min: -60, max: 60 }).map(minutes)),
  resumedAt: fc.constant(null),
  lastSharedRing: fc.constant(null),
  isWave: fc.constant(false),
  expectedComputers: fc.constant(null),
})

describe('the next step of any rollout', () => {
  test('opens a ring only if all rings before it are done and none is open, and finishes only the open one', () => {
    fc.assert(
      fc.property(facts, (given) => {
        const step = nextStep(given)
        const states = given.rings.map(({ state }) => state)
        if (step.kind === 'OpenRing') {
          expect(states[step.ring - 1]).toBe('Waiting')
          expect(states.slice(0, step.ring - 1).every((state) => state === 'Done')).toBe(true)
        }
        if (step.kind === 'FinishRing') {
          const ring = given.rings[step.ring - 1] ?? expect.fail()
          expect(ring.state).toBe('Open')
          expect(ring.counts.unreleased).toBe(0)
          expect(areCriteriaMet(given.criteria, ring.counts)).toBe(true)
        }
      }),
    )
  })

  test('is a pause whenever a limit is reached, and never otherwise', () => {
    fc.assert(
      fc.property(facts, (given) => {
        const { criteria, silent, bootFailed, sharedCause } = given
        const reaches = (value: number, max: number | null) => max !== null && value >= max
        const isFailing = given.rings.some(({ state, counts }) => {
          if (state === 'Waiting' || criteria.maxFailurePercent === null) return false
          const due = counts.pending + counts.retrying + counts.succeeded + counts.failed
          const sample = Math.max(due, Math.min(20, counts.total - counts.nothingDue - counts.cancelled))
          return counts.failing > Math.floor((sample * criteria.maxFailurePercent) / 100)
        })
        const isStopped =
          isFailing ||
          reaches(silent, criteria.silentComputers) ||
          reaches(bootFailed, criteria.bootFailures) ||
          reaches(sharedCause?.computers ?? 0, criteria.sharedCauseComputers)
        expect(nextStep(given).kind === 'Pause').toBe(isStopped)
      }),
    )
  })

  test('waits only for what lies ahead', () => {
    fc.assert(
      fc.property(facts, (given) => {
        const step = nextStep(given)
        if (step.kind === 'Wait' && step.until) expect(step.until.getTime()).toBeGreaterThan(now.getTime())
      }),
    )
  })

  test('leads to the end in a bounded number of steps if everything succeeds', () => {
    fc.assert(
      fc.property(facts, fc.nat({ max: 20 }), (given, size) => {
        const allGood = { ...emptyCounts, total: size, succeeded: size }
        let current: RolloutFacts = {
          ...given,
          silent: 0,
          bootFailed: 0,
          sharedCause: null,
          catchUpUntil: null,
          rings: given.rings.map((ring) => ({ ...ring, counts: allGood })),
        }
        for (let steps = 0; steps < 40; steps++) {
          const step = nextStep(current)
          if (step.kind === 'Complete') return
          current = apply(current, step)
        }
        expect.fail('The rollout does not end.')
      }),
    )
  })
})

const emptyCounts = {
  total: 0,
  unreleased: 0,
  pending: 0,
  retrying: 0,
  succeeded: 0,
  failed: 0,
  cancelled: 0,
  nothingDue: 0,
  away: 0,
  failing: 0,
  failingRetried: 0,
}

/** What the service does with a step; a wait lets the time pass. */
function apply(facts: RolloutFacts, step: ReturnType<typeof nextStep>): RolloutFacts {
  const change = (ring: number, changes: Partial<RingFacts>) => ({
    ...facts,
    rings: facts.rings.map((one) => (one.ring === ring ? { ...one, ...changes } : one)),
  })
  if (step.kind === 'OpenRing') return change(step.ring, { state: 'Open' })
  if (step.kind === 'FinishRing') return change(step.ring, { state: 'Done' })
  if (step.kind === 'StartSoak') return change(step.ring, { criteriaMetAt: facts.now })
  if (step.kind === 'RestartSoak') return change(step.ring, { criteriaMetAt: null })
  if (step.kind === 'StartCatchUp')
    return { ...facts, catchUpUntil: new Date(facts.now.getTime() + facts.catchUpDays * 86_400_000) }
  return step.kind === 'Wait' && step.until ? { ...facts, now: step.until } : expect.fail(`${step.kind} leads nowhere.`)
}

describe('the rings of any rollout', () => {
  const candidates = fc.uniqueArray(
    fc.record({
      computerId: fc.integer({ min: 1, max: 10_000 }),
      position: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      groupIds: fc.subarray(['a', 'b']),
    }),
    { selector: ({ computerId }) => computerId, maxLength: 60 },
  )
  const rule: fc.Arbitrary<RingRule> = fc.oneof(
    fc.record({ kind: fc.constantFrom('Count' as const, 'Percent' as const), size: fc.integer({ min: 1, max: 100 }) }),
    fc.record({ kind: fc.constant('Group' as const), groupId: fc.constantFrom('a', 'b') }),
  )
  const rules = fc.array(rule, { minLength: 1, maxLength: 5 }).map((all): RingRule[] => [...all, { kind: 'Rest' }])

  test('contain every computer once, and the same ones when others join or leave', () => {
    fc.assert(
      fc.property(candidates, candidates, rules, (computers, others, given) => {
        const placed = placeRings(computers, given)
        const ringsOf = (all: readonly RingCandidate[]) => all.map((one) => findRing(one, placed))
        expect(ringsOf(computers).every((ring) => ring >= 0 && ring < given.length)).toBe(true)
        expect(
          ringsOf([...others, ...computers].toReversed())
            .toReversed()
            .slice(others.length),
        ).toEqual(ringsOf(computers))
      }),
    )
  })

  test('have the sizes that were asked for, as long as there are computers with different positions', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), { maxLength: 60 }),
        fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 4 }),
        (positions, sizes) => {
          const computers = positions.map((position, index) => ({ computerId: index + 1, position, groupIds: [] }))
          const placed = placeRings(
            computers,
            sizes.map((size): RingRule => ({ kind: 'Count', size })),
          )
          let left = computers.length
          for (const [ring, size] of sizes.entries()) {
            const expected = Math.min(size, left)
            expect(computers.filter((one) => findRing(one, placed) === ring)).toHaveLength(expected)
            left -= expected
          }
        },
      ),
    )
  })
})
