import { toFacts } from './evaluate.ts'
import { countDue, nextStep, type RingFacts, type RolloutFacts, type RolloutStep } from './next-step.ts'
import type { Rollout } from './rollout-record.ts'

export const nextCodes = [
  'OpenRing',
  'FinishRing',
  'Pause',
  'Releasing',
  'Results',
  'Soaking',
  'OtherGroups',
  'CatchUp',
  'Complete',
  'Resume',
  'Cancelling',
] as const

/** What happens next, with a sentence, and when; null: as soon as the results allow it. */
export type NextStep = { code: (typeof nextCodes)[number]; ring: number | null; text: string; at: Date | null }

/** Null for a rollout that has ended. */
export function describeNext(rollout: Rollout, now: Date): NextStep | null {
  if (rollout.endedAt) return null
  if (rollout.state === 'Cancelled')
    return { code: 'Cancelling', ring: null, text: 'Its waiting work is being cancelled.', at: null }
  if (rollout.state === 'Paused')
    return {
      code: 'Resume',
      ring: null,
      text: 'It waits until somebody resumes it, opens the next ring or cancels it.',
      at: null,
    }
  const facts = toFacts(rollout, now)
  return toNextStep(facts, nextStep(facts))
}

function toNextStep(facts: RolloutFacts, step: RolloutStep): NextStep {
  const at = facts.now
  switch (step.kind) {
    case 'Pause':
      return { code: 'Pause', ring: step.pause.ring, text: 'It pauses itself within seconds.', at }
    case 'OpenRing':
      return { code: 'OpenRing', ring: step.ring, text: `Ring ${step.ring} opens within seconds.`, at }
    case 'FinishRing':
      return { code: 'FinishRing', ring: step.ring, text: `Ring ${step.ring} is done within seconds.`, at }
    case 'StartSoak':
    case 'RestartSoak':
      return soaking(step.ring, null)
    case 'StartCatchUp':
      return { code: 'CatchUp', ring: null, text: 'All rings are done. Catch-up begins within seconds.', at }
    case 'Complete':
      return { code: 'Complete', ring: null, text: 'It is completed within seconds.', at }
    case 'Wait':
      return describeWait(facts, step)
  }
}

const soaking = (ring: number, at: Date | null): NextStep => ({
  code: 'Soaking',
  ring,
  text: `The results of ring ${ring} are good. The next ring opens if they stay so for the soak time.`,
  at,
})

function describeWait(facts: RolloutFacts, { code, ring, until }: Extract<RolloutStep, { kind: 'Wait' }>): NextStep {
  if (code === 'CatchUp') {
    const text = 'All rings are done. Computers that were away get their work when they return, and new ones join.'
    return { code, ring: null, text, at: until }
  }
  if (code === 'OtherGroups') {
    const text = `Ring ${ring} opens when the rollouts of the other groups of the upgrade have finished the ring before it.`
    return { code, ring, text, at: null }
  }
  const found = facts.rings.find((candidate) => candidate.ring === ring)
  if (code === 'Soaking') return soaking(ring ?? 0, until)
  if (code === 'Releasing')
    return {
      code,
      ring,
      text: `${found?.counts.unreleased} computers of ring ${ring} are still to be released.`,
      at: until,
    }
  return { code, ring, text: found ? describeResults(facts, found) : '', at: null }
}

function describeResults({ criteria }: RolloutFacts, { ring, counts }: RingFacts): string {
  const expected = countDue(counts) - counts.away
  return (
    `Ring ${ring} has ${counts.succeeded} successes and ${counts.failed} failures of ${expected} computers. ` +
    (counts.retrying > 0 ? `${counts.retrying} failed and will be retried. ` : '') +
    `It needs ${criteria.minSuccessPercent} % successes and at least ${criteria.minResults} results.`
  )
}
