import { readableCause } from '@muster/text'
import type { components } from '../../api/types.ts'
import type { OutcomePart } from '../../components/outcome-bar.tsx'
import type { StatusKind } from '../../components/status-kinds.ts'
import type { RolloutTexts } from '../../texts/rollout-texts.ts'

export type Rollout = components['schemas']['Rollout']
export type Ring = Rollout['rings'][number]
type Pause = components['schemas']['RolloutPause']

export const kindOfRollout: Record<Rollout['state'], StatusKind> = {
  Running: 'running',
  Paused: 'warning',
  CatchingUp: 'running',
  Completed: 'good',
  Cancelled: 'neutral',
}

export const kindOfRing: Record<Ring['state'], StatusKind> = { Waiting: 'neutral', Open: 'running', Done: 'good' }

/** Whether the computers of a ring were released, and nothing was due on any of them. */
export const hadNothingDue = ({ computers }: Ring) => computers.total > 0 && computers.nothingDue === computers.total

export function hasEnded({ state }: Pick<Rollout, 'state'>): boolean {
  return state === 'Completed' || state === 'Cancelled'
}

/** Why a rollout is paused, in the language of the reader, with the numbers of the moment in which it was. */
export function describePause(pause: Pause, texts: RolloutTexts['pause'], formatTime: (utc: string) => string): string {
  const { retried, sinceUtc } = pause
  const reason = [describeReason(pause, texts), ...(retried ? [texts.retried(retried)] : [])].join(' ')
  return sinceUtc === null ? reason : texts.since(formatTime(sinceUtc), reason)
}

function describeReason(pause: Pause, texts: RolloutTexts['pause']): string {
  const [computers, limit, ring] = [pause.computers ?? 0, pause.limit ?? 0, pause.ring ?? 0]
  switch (pause.code) {
    case 'ByPrincipal':
      return texts.ByPrincipal(pause.by ?? '', pause.reason ?? null)
    case 'Failures':
      return texts.Failures(computers, ring, limit)
    case 'SilentAgents':
      return texts.SilentAgents(computers, limit)
    case 'BootFailures':
      return texts.BootFailures(computers, limit)
    case 'MoreThanExpected':
      return texts.MoreThanExpected(computers, limit)
    case 'Removals':
      return pause.withinHours === 1 ? texts.RemovalsBeyondQuota(computers, limit) : texts.Removals(computers, limit)
    default:
      return texts.SharedCause(
        computers,
        pause.exitCode === null ? `“${readableCause(pause.error ?? '')}”` : texts.exitCode(pause.exitCode),
        limit,
      )
  }
}

/** What happens next, in the language of the reader; null if nothing does. */
export function describeNext({ next, rings, criteria }: Rollout, texts: RolloutTexts['next']): string | null {
  if (!next) return null
  const number = next.ring ?? 0
  const counts = rings.find(({ ring }) => ring === next.ring)?.computers
  switch (next.code) {
    case 'OpenRing':
    case 'FinishRing':
    case 'Soaking':
    case 'OtherGroups':
      return texts[next.code](number)
    case 'Releasing':
      return texts.Releasing(number, counts?.unreleased ?? 0)
    case 'Results': {
      const expected = counts ? counts.total - counts.nothingDue - counts.cancelled - counts.away : 0
      const { succeeded = 0, failed = 0, retrying = 0 } = counts ?? {}
      return texts.Results(number, succeeded, failed + retrying, retrying, expected, criteria.minSuccessPercent)
    }
    default:
      return texts[next.code]()
  }
}

/** Computers on which work failed, whether or not it will be retried: the one number of failures of a rollout. */
export const countFailures = ({ failedCount, retryingCount }: Rollout) => failedCount + retryingCount

/**
 * When the rollout goes on: at a known time, when a ring is expected to be done if all goes well, or when somebody acts.
 * Undefined for a rollout that has ended, and for one that goes on within seconds.
 */
export function describeContinuation(
  { state, next, rings, endedAtUtc }: Rollout,
  texts: RolloutTexts['continues'],
  formatTime: (utc: string) => string,
  now = Date.now(),
): string | undefined {
  if (endedAtUtc || !next || state === 'Cancelled') return undefined
  if (state === 'Paused') return texts.resumed
  const isLater = (utc: string | null | undefined): utc is string => !!utc && Date.parse(utc) > now + 60_000
  if (isLater(next.atUtc)) return texts.at[next.code === 'CatchUp' ? 'CatchUp' : 'next'](formatTime(next.atUtc))
  if (next.atUtc) return texts.soon
  const open = rings.find((ring) => ring.state === 'Open')
  const following = rings.find((ring) => ring.state === 'Waiting')
  if (!open || !isLater(open.expectedEndUtc)) return texts.results
  const time = formatTime(open.expectedEndUtc)
  return following ? texts.ringOpens(following.ring, time) : texts.ringEnds(open.ring, time)
}

/** What became of the computers of a ring, with links to those in each state. */
export function ringParts(
  ring: Ring,
  results: RolloutTexts['results'],
  linkTo: (state: string) => string,
): OutcomePart[] {
  const { computers } = ring
  return [
    { kind: 'good', value: computers.succeeded, label: results.succeeded, to: linkTo('Succeeded') },
    { kind: 'bad', value: computers.failed, label: results.failedForGood, to: linkTo('Failed') },
    { kind: 'warning', value: computers.retrying, label: results.retrying, to: linkTo('Retrying') },
    { kind: 'warning', value: computers.cancelled, label: results.cancelled, to: linkTo('Cancelled') },
    { kind: 'running', value: computers.pending, label: results.pending, to: linkTo('Pending') },
    { kind: 'neutral', value: computers.unreleased, label: results.waiting, to: linkTo('Waiting') },
    { kind: 'neutral', value: computers.nothingDue, label: results.nothingDue, to: linkTo('NothingDue') },
  ]
}

/** The same over all rings. */
export function overallParts({ rings }: Rollout, results: RolloutTexts['results']): OutcomePart[] {
  const all = rings.map((ring) => ringParts(ring, results, (state) => `?state=${state}#computers`))
  return (all[0] ?? []).map((part, index) => ({
    ...part,
    value: all.reduce((sum, parts) => sum + (parts[index]?.value ?? 0), 0),
  }))
}
